"""Settings, permissions and credentials of users (contract 4.3, 4.4)."""

from __future__ import annotations

from typing import Any

from console.api.operations import permissions as ops
from console.api.operations.domains import CreateCredential, GetCredential, ListCredentials, UpdateCredential
from console.api.operations.permissions import CreateSetting, GetSetting, ListSettings, UpdateSetting
from console.records.access import Credential, Permissions, RecordingPermission, VoicemailPermission
from console.records.people import UserContext
from console.service.domain import credentials, people, permissions, settings
from console.service.domain.credentials import CREDENTIALS
from console.service.domain.settings import SETTINGS
from tests.contract.case import CaseSetup, case

CONTEXT = UserContext(
    src="test",
    useragent="softphone 2",
    language="es",
    location="Madrid",
    platform="linux",
    vendor="desk",
    device_id="d1",
)
ALWAYS = RecordingPermission(recording_type="all", recording_profile="always")
CALLS = RecordingPermission(recording_type="calls", recording_profile="on request")
VOICEMAIL = VoicemailPermission(enabled=True)


def _setting(setup: CaseSetup) -> str:
    made = settings.create(setup.platform, "ana", "kiosk", "theme", "dark")
    return made.id


def _own_settings(setup: CaseSetup) -> ListSettings:
    _setting(setup)
    settings.create(setup.platform, "bob", "kiosk", "theme", "light")
    return ListSettings()


@case(ListSettings, by="ana", asks=_own_settings)
def list_settings(setup: CaseSetup, answer: Any) -> None:
    assert {each.user for each in answer} == {"ana"}
    assert [each.value for each in answer if (each.source, each.setting_key) == ("kiosk", "theme")] == ["dark"]


@case(
    CreateSetting,
    by="ana",
    asks=lambda _: CreateSetting(source="mobile", setting_key="ringtone", value="chime"),
    bad={400: {"key": ["", 3], "source": ["a@b"], "value": ["x" * 70_000]}},
)
def create_setting(setup: CaseSetup, answer: Any) -> None:
    assert answer.id.endswith("@mobile")
    assert (answer.user, answer.setting_key, answer.value) == ("ana", "ringtone", "chime")
    assert setup.need(SETTINGS, answer.id) == answer


@case(
    GetSetting,
    by="ana",
    asks=lambda setup: GetSetting(id=_setting(setup)),
    not_for=("pat", "guest"),
    bad={404: {"id": ["no@kiosk"]}},
)
def get_setting(setup: CaseSetup, answer: Any) -> None:
    assert (answer.source, answer.setting_key, answer.value) == ("kiosk", "theme", "dark")


@case(
    UpdateSetting,
    by="ana",
    asks=lambda setup: UpdateSetting(id=_setting(setup), source="tv", value="light"),
    not_for=("pat", "guest"),
    bad={400: {"key": [""], "source": [""], "value": [{}]}, 404: {"id": ["no@kiosk"]}},
)
def update_setting(setup: CaseSetup, answer: Any) -> None:
    assert (answer.source, answer.setting_key, answer.value) == ("tv", "theme", "light")
    assert answer.id.endswith("@tv")
    assert setup.need(SETTINGS, answer.id).value == "light"
    assert setup.count(SETTINGS, SETTINGS.c.source == "kiosk", SETTINGS.c.user == "ana") == 0


# -- permissions ------------------------------------------------------------------------------------------------------


def _given(setup: CaseSetup, of: str) -> str:
    with setup.platform.write() as tx:
        if permissions.own(tx, of) is None:
            permissions.create(setup.platform, of, ALWAYS, VOICEMAIL)
        else:
            permissions.update(setup.platform, of, ALWAYS, VOICEMAIL)
    return of.rpartition(" ")[2]


def _own_permissions(setup: CaseSetup) -> ops.GetOwnPermissions:
    _given(setup, permissions.of_domain("desk.example"))
    permissions.create(setup.platform, permissions.of_user("bob"), CALLS, None)
    return ops.GetOwnPermissions(user_id="bob")


@case(ops.GetOwnPermissions, by="bob", asks=_own_permissions, not_for=("ana", "guest"), bad={403: {"userId": ["ana"]}})
def own_permissions(setup: CaseSetup, answer: Any) -> None:
    assert answer == Permissions(recording=CALLS, voicemail=VOICEMAIL)


def _of_domain(setup: CaseSetup) -> Permissions | None:
    with setup.platform.read() as tx:
        return permissions.own(tx, permissions.of_domain("guests"))


def _of_user(setup: CaseSetup) -> Permissions | None:
    with setup.platform.read() as tx:
        return permissions.own(tx, permissions.of_user("bob"))


BAD_RECORDINGS = ["all", {"recordingType": "", "recordingProfile": "always"}]
BAD_VOICEMAIL = [{"enabled": "perhaps"}]


@case(
    ops.GetDomainPermissions,
    asks=lambda setup: ops.GetDomainPermissions(id=_given(setup, permissions.of_domain("guests"))),
    bad={404: {"id": ["nowhere.example"]}},
)
def get_of_domain(setup: CaseSetup, answer: Any) -> None:
    assert answer == Permissions(recording=ALWAYS, voicemail=VOICEMAIL)


@case(
    ops.CreateDomainPermissions,
    asks=lambda _: ops.CreateDomainPermissions(id="guests", recording=CALLS, voicemail=VOICEMAIL),
    bad={400: {"recording": [None, *BAD_RECORDINGS], "voicemail": BAD_VOICEMAIL}, 404: {"id": ["nowhere.example"]}},
)
def create_of_domain(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Created"
    assert _of_domain(setup) == Permissions(recording=CALLS, voicemail=VOICEMAIL)


@case(
    ops.UpdateDomainPermissions,
    asks=lambda setup: ops.UpdateDomainPermissions(
        id=_given(setup, permissions.of_domain("guests")), recording=RecordingPermission(recording_type="calls")
    ),
    bad={400: {"recording": BAD_RECORDINGS, "voicemail": BAD_VOICEMAIL}, 404: {"id": ["nowhere.example"]}},
)
def update_of_domain(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"
    changed = RecordingPermission(recording_type="calls", recording_profile="always")
    assert _of_domain(setup) == Permissions(recording=changed, voicemail=VOICEMAIL)


@case(
    ops.GetUserPermissions,
    asks=lambda setup: ops.GetUserPermissions(id=_given(setup, permissions.of_user("bob"))),
    bad={404: {"id": ["nobody at all", "ana"]}},
)
def get_of_user(setup: CaseSetup, answer: Any) -> None:
    assert answer == Permissions(recording=ALWAYS, voicemail=VOICEMAIL)


@case(
    ops.CreateUserPermissions,
    asks=lambda _: ops.CreateUserPermissions(id="bob", recording=CALLS),
    bad={400: {"recording": [None, *BAD_RECORDINGS], "voicemail": BAD_VOICEMAIL}, 404: {"id": ["nobody at all"]}},
)
def create_of_user(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "Created"
    assert _of_user(setup) == Permissions(recording=CALLS)


@case(
    ops.UpdateUserPermissions,
    asks=lambda setup: ops.UpdateUserPermissions(
        id=_given(setup, permissions.of_user("bob")), voicemail=VoicemailPermission(enabled=False)
    ),
    bad={400: {"recording": BAD_RECORDINGS, "voicemail": BAD_VOICEMAIL}, 404: {"id": ["nobody at all", "ana"]}},
)
def update_of_user(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"
    assert _of_user(setup) == Permissions(recording=ALWAYS, voicemail=VoicemailPermission(enabled=False))


# -- credentials ------------------------------------------------------------------------------------------------------

SECRET = "a secret that nobody is ever shown"


def _credential(setup: CaseSetup) -> Credential:
    with setup.platform.read() as tx:
        ana = people.need_user(tx, "ana")
    data = {"username": "ana-sip", "password": SECRET}
    return credentials.create(
        setup.platform, ana, source="gateway", type="ims", domain="desk.example", data=data, lease=0
    )


def _named(setup: CaseSetup) -> ListCredentials:
    _credential(setup)
    return ListCredentials(user="ana", type="ims", data="ana-sip")


@case(ListCredentials, asks=_named, not_for=("pat", "guest"), bad={400: {"type": ["magic"]}})
def list_credentials(setup: CaseSetup, answer: Any) -> None:
    (found,) = answer
    assert (found.source, found.user, found.data) == ("gateway", "ana", {"username": "ana-sip"})
    assert SECRET not in str(setup.dump())


@case(
    CreateCredential,
    by="ana",
    asks=lambda _: CreateCredential(
        source="gateway",
        type="svc-ims",
        domain="desk.example",
        user="ana",
        data={"username": "ana-sip", "password": SECRET},
        lease=3600,
        context=CONTEXT,
    ),
    not_for=("pat", "guest"),
    bad={
        400: {
            "source": [None, "a@b"],
            "type": ["magic", None],
            "domain": ["guests", None],
            "data": [None, "x"],
            "lease": [-1, 1.5, None],
            ("type", "data"): [("token", {"token": "short"})],
        },
        403: {"user": ["pat"]},
        409: {"type": ["basic"]},
    },
)
def create_credential(setup: CaseSetup, answer: Any) -> None:
    assert answer.id.endswith("@gateway")
    assert (answer.type, answer.user, answer.lease, answer.data) == ("svc-ims", "ana", 3600, {"username": "ana-sip"})
    assert SECRET not in str(setup.dump())
    with setup.platform.read() as tx:
        assert CREDENTIALS.need(tx, answer.id).context == CONTEXT
        assert credentials.secret_of(setup.platform, tx, answer.id) == {"password": SECRET}


@case(
    GetCredential,
    by="ana",
    asks=lambda setup: GetCredential(id=_credential(setup).id),
    not_for=("pat", "guest"),
    bad={404: {"id": ["no@gateway"]}},
)
def get_credential(setup: CaseSetup, answer: Any) -> None:
    assert (answer.type, answer.source, answer.data) == ("ims", "gateway", {"username": "ana-sip"})


@case(
    UpdateCredential,
    by="ana",
    asks=lambda setup: UpdateCredential(id=_credential(setup).id.partition("@")[0], source="pbx", lease=60),
    not_for=("pat", "guest"),
    bad={
        400: {"source": [""], "type": ["token", "magic"], "lease": [-1], "domain": ["guests"]},
        403: {"user": ["pat"]},
        404: {"id": ["no"]},
    },
)
def update_credential(setup: CaseSetup, answer: Any) -> None:
    assert answer.id.endswith("@pbx")
    assert (answer.type, answer.lease, answer.data) == ("ims", 60, {"username": "ana-sip"})
    with setup.platform.read() as tx:
        assert credentials.secret_of(setup.platform, tx, answer.id) == {"password": SECRET}
        assert CREDENTIALS.count(tx, CREDENTIALS.c.user == "ana", CREDENTIALS.c.type == "ims") == 1
