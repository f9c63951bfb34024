"""Actions on alert templates and their receivers, and their undo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.support import (
    AttachReceivers,
    CreateTemplate,
    DeleteTemplate,
    DetachReceivers,
    ListTemplates,
    UpdateTemplate,
)
from console.base.collation import collated
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, FormAsk, Situation
from console.commands.inputs import build, form, many
from console.commands.lookup import group_name, lookup, person
from console.kinds.inverses import Inverse, Inverses, step_of
from console.kinds.next_steps import NextStep, NextSteps
from console.live.command import Basis, Step
from console.records.people import Group, User
from console.records.support import AlertTemplate, Skill
from console.views.wording import known_plural, plural

EDITABLE = ("title", "payload", "number_of_retries", "time_in_ms_between_retries", "time_to_expire")

USUAL = {"number_of_retries": 3, "time_in_ms_between_retries": 60_000, "time_to_expire": 300_000}
"""Defaults of a new template: three retries, a minute apart, expiring five minutes after the last. Times in ms."""


def name(template: AlertTemplate) -> SafeText:
    """Return the name of a template."""
    return clean(template.title or template.template_id, 64)


def _ask_new(_situation: Situation, _records: Sequence[AlertTemplate]) -> Asks:
    return (FormAsk("template", "New alert template", CreateTemplate, USUAL),)


def _create(situation: Situation, _records: Sequence[AlertTemplate], answers: Answers) -> list[Step]:
    request = build(CreateTemplate, {**USUAL, **form(answers, "template")})
    if situation.render.find("templates", request.template_id) is not None:
        raise ValueError(f"Template {clean(request.template_id, 40)} already exists.")
    return [step_of(situation, request, request.template_id, f"created template {clean(request.title, 64)}")]


def _ask_fields(_situation: Situation, records: Sequence[AlertTemplate]) -> Asks:
    template = records[0]
    initial = {value: getattr(template, value) for value in EDITABLE if getattr(template, value) is not None}
    title = f"Edit template {name(template)}"
    return (FormAsk("template", title, UpdateTemplate, initial, {"id": template.template_id}, EDITABLE),)


def _edit(situation: Situation, records: Sequence[AlertTemplate], answers: Answers) -> list[Step]:
    template = records[0]
    values = form(answers, "template").items()
    changed = {field: value for field, value in values if value != getattr(template, field, None)}
    if not changed:
        raise ValueError("Nothing was changed.")
    request = build(UpdateTemplate, {"id": template.template_id, **changed})
    basis = Basis(ListTemplates(), {field: getattr(template, field, None) for field in changed}, template.key)
    return [step_of(situation, request, template.key, f"edited template {name(template)}", basis, record=template)]


def _delete(_situation: Situation, records: Sequence[AlertTemplate], _answers: Answers) -> list[Step]:
    return [
        Step(DeleteTemplate(id=record.template_id), record.key, f"deleted template {name(record)}")
        for record in records
    ]


def _ask_receivers(situation: Situation, records: Sequence[AlertTemplate]) -> Asks:
    render = situation.render
    groups = sorted(lookup(render, "groups", Group), key=lambda group: (collated(group_name(group)), group.group_id))
    skills = sorted(lookup(render, "skills", Skill), key=lambda skill: collated(skill.skill))
    users = sorted(lookup(render, "users", User), key=lambda user: (collated(person(render, user.id)), user.id))
    choices = (
        *(
            Choice(
                f"group:{group.group_id}",
                clean(f"@{group_name(group)}"),
                known_plural(group.count_of("participants"), "person", render),
            )
            for group in groups
        ),
        *(
            Choice(
                f"skill:{skill.skill}",
                clean(f"#{skill.skill}", 64),
                known_plural(skill.count_of("agents"), "person", render),
            )
            for skill in skills
        ),
        *(Choice(f"user:{user.id}", person(render, user.id), clean(user.username or "", 64)) for user in users),
    )
    return (ChoiceAsk("receivers", f"Add receivers to {name(records[0])}", choices, many=True),)


def receivers(situation: Situation, picked: Sequence[str]) -> tuple[str, ...]:
    """Return the user ids of picked users, groups (their members) and skills (their agents), without duplicates."""
    ids: list[str] = []
    for value in picked:
        sort, _, key = value.partition(":")
        if sort == "user":
            ids.append(key)
            continue
        record = situation.render.find({"group": "groups", "skill": "skills"}.get(sort, ""), key)
        if isinstance(record, Group):
            ids.extend(record.participants)
        elif isinstance(record, Skill):
            ids.extend(record.agents)
        else:
            raise ValueError(f"{clean(key or value, 64)} no longer exists.")
    return tuple(dict.fromkeys(ids))


def _attach(situation: Situation, records: Sequence[AlertTemplate], answers: Answers) -> list[Step]:
    template = records[0]
    ids = receivers(situation, many(answers, "receivers", "The list of receivers"))
    if not ids:
        raise ValueError("Nobody is in the selection.")
    who = person(situation.render, ids[0]) if len(ids) == 1 else plural(len(ids), "person")
    request = AttachReceivers(id=template.template_id, user_ids=ids)
    return [Step(request, template.key, f"added {who} to the receivers of {name(template)}")]


def _detach(_situation: Situation, records: Sequence[AlertTemplate], _answers: Answers) -> list[Step]:
    template = records[0]
    request = DetachReceivers(id=template.template_id)
    return [Step(request, template.key, f"removed all receivers of {name(template)}")]


def _delete_template(situation: Situation, request: CreateTemplate) -> Inverse:
    if situation.render.find("templates", request.template_id) is not None:
        return ()
    return (DeleteTemplate(id=request.template_id),)


INVERSES: Inverses = {
    CreateTemplate: _delete_template,
}

NEXT_STEPS: NextSteps = {CreateTemplate: (NextStep("templates.attach"),)}


ACTIONS: tuple[Action[Any], ...] = (
    Action[AlertTemplate](
        id="templates.create",
        title="new template",
        key="n",
        verb="new",
        kind="templates",
        plan=_create,
        asks=_ask_new,
        needs="none",
        footer=2,
        about="Creates a template.",
        sends=(CreateTemplate,),
    ),
    Action[AlertTemplate](
        id="templates.edit",
        title="edit",
        key="e",
        verb="edit",
        kind="templates",
        plan=_edit,
        asks=_ask_fields,
        footer=3,
        about="Changes the message, the retries and the expiry of the template's alerts.",
        sends=(UpdateTemplate,),
    ),
    Action[AlertTemplate](
        id="templates.delete",
        title="delete",
        key="d",
        verb="delete",
        kind="templates",
        plan=_delete,
        needs="many",
        footer=6,
        about="Deletes the template and its list of receivers.",
        sends=(DeleteTemplate,),
    ),
    Action[AlertTemplate](
        id="templates.attach",
        title="add receivers",
        key="plus",
        verb="add",
        kind="templates",
        plan=_attach,
        asks=_ask_receivers,
        footer=4,
        about="Adds users, the members of groups, or the agents of skills to those who receive the template's alerts.",
        sends=(AttachReceivers,),
    ),
    Action[AlertTemplate](
        id="templates.detach",
        title="remove all receivers",
        key="X",
        verb="remove all",
        kind="templates",
        plan=_detach,
        footer=7,
        about="Removes all receivers from the template; the service cannot remove a single one.",
        sends=(DetachReceivers,),
    ),
)
