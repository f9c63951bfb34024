"""Undo of changes to templates."""

from __future__ import annotations

from console.api.operations.support import (
    CreateTemplate,
    DeleteTemplate,
)
from console.commands.action import Situation
from console.kinds.inverses import Inverse, Inverses


def _delete_template(situation: Situation, request: CreateTemplate) -> Inverse:
    if situation.render.find("templates", request.template_id) is not None:
        return ()
    return (DeleteTemplate(id=request.template_id),)


INVERSES: Inverses = {
    CreateTemplate: _delete_template,
}
