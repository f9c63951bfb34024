"""Settings, permissions and credentials of users (contract 4.3, 4.4)."""

from __future__ import annotations

from console.api.operations import permissions as ops
from console.api.operations.domains import CreateCredential, GetCredential, ListCredentials, UpdateCredential
from console.api.operations.permissions import CreateSetting, GetSetting, ListSettings, UpdateSetting
from console.records.access import Credential, Permissions, RecordingPermission, VoicemailPermission
from console.records.people import UserContext
from console.service.domain import credentials, people, permissions, settings
from console.service.domain.credentials import CREDENTIALS
from console.service.domain.settings import SETTINGS
from tests.contract.case import CaseSetup, Steps, case

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


@case(ListSettings, by="ana")
def list_settings(setup: CaseSetup) -> Steps:
    _setting(setup)
    settings.create(setup.platform, "bob", "kiosk", "theme", "light")
    answer = yield ListSettings()
    assert {each.user for each in answer} == {"ana"}
    assert [each.value for each in answer if (each.source, each.setting_key) == ("kiosk", "theme")] == ["dark"]


@case(CreateSetting, by="ana", bad={400: {"key": [""], "source": ["a@b"], "value": ["x" * 70_000]}})
def create_setting(setup: CaseSetup) -> Steps:
    answer = yield CreateSetting(source="mobile", setting_key="ringtone", value="chime")
    assert answer.id.endswith("@mobile")
    assert (answer.user, answer.setting_key, answer.value) == ("ana", "ringtone", "chime")
    assert setup.need(SETTINGS, answer.id) == answer


@case(GetSetting, by="ana", not_for=("pat", "guest"), bad={404: {"id": ["no@kiosk"]}})
def get_setting(setup: CaseSetup) -> Steps:
    answer = yield GetSetting(id=_setting(setup))
    assert (answer.source, answer.setting_key, answer.value) == ("kiosk", "theme", "dark")


@case(
    UpdateSetting,
    by="ana",
    not_for=("pat", "guest"),
    bad={400: {"key": [""], "source": [""], "value": [{}]}, 404: {"id": ["no@kiosk"]}},
)
def update_setting(setup: CaseSetup) -> Steps:
    answer = yield UpdateSetting(id=_setting(setup), source="tv", value="light")
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


@case(ops.GetOwnPermissions, by="bob", not_for=("ana", "guest"), bad={403: {"userId": ["ana"]}})
def own_permissions(setup: CaseSetup) -> Steps:
    _given(setup, permissions.of_domain("desk.example"))
    permissions.create(setup.platform, permissions.of_user("bob"), CALLS, None)
    answer = yield ops.GetOwnPermissions(user_id="bob")
    assert answer == Permissions(recording=CALLS, voicemail=VOICEMAIL)


def _of_domain(setup: CaseSetup) -> Permissions | None:
    with setup.platform.read() as tx:
        return permissions.own(tx, permissions.of_domain("guests"))


def _of_user(setup: CaseSetup) -> Permissions | None:
    with setup.platform.read() as tx:
        return permissions.own(tx, permissions.of_user("bob"))


BAD_RECORDINGS = ["all", {"recordingType": "", "recordingProfile": "always"}]
BAD_VOICEMAIL = [{"enabled": "perhaps"}]


@case(ops.GetDomainPermissions)
def get_of_domain(setup: CaseSetup) -> Steps:
    answer = yield ops.GetDomainPermissions(id=_given(setup, permissions.of_domain("guests")))
    assert answer == Permissions(recording=ALWAYS, voicemail=VOICEMAIL)


@case(ops.CreateDomainPermissions, bad={400: {"recording": [*BAD_RECORDINGS], "voicemail": BAD_VOICEMAIL}})
def create_of_domain(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateDomainPermissions(id="guests", recording=CALLS, voicemail=VOICEMAIL)
    assert answer.message == "Created"
    assert _of_domain(setup) == Permissions(recording=CALLS, voicemail=VOICEMAIL)


@case(ops.UpdateDomainPermissions, bad={400: {"recording": BAD_RECORDINGS, "voicemail": BAD_VOICEMAIL}})
def update_of_domain(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateDomainPermissions(
        id=_given(setup, permissions.of_domain("guests")), recording=RecordingPermission(recording_type="calls")
    )
    assert answer.message == "OK"
    changed = RecordingPermission(recording_type="calls", recording_profile="always")
    assert _of_domain(setup) == Permissions(recording=changed, voicemail=VOICEMAIL)


@case(ops.GetUserPermissions, bad={404: {"id": ["ana"]}})
def get_of_user(setup: CaseSetup) -> Steps:
    answer = yield ops.GetUserPermissions(id=_given(setup, permissions.of_user("bob")))
    assert answer == Permissions(recording=ALWAYS, voicemail=VOICEMAIL)


@case(ops.CreateUserPermissions, bad={400: {"recording": [*BAD_RECORDINGS], "voicemail": BAD_VOICEMAIL}})
def create_of_user(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateUserPermissions(id="bob", recording=CALLS)
    assert answer.message == "Created"
    assert _of_user(setup) == Permissions(recording=CALLS)


@case(
    ops.UpdateUserPermissions,
    bad={400: {"recording": BAD_RECORDINGS, "voicemail": BAD_VOICEMAIL}, 404: {"id": ["ana"]}},
)
def update_of_user(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateUserPermissions(
        id=_given(setup, permissions.of_user("bob")), voicemail=VoicemailPermission(enabled=False)
    )
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


@case(ListCredentials, not_for=("pat", "guest"))
def list_credentials(setup: CaseSetup) -> Steps:
    _credential(setup)
    answer = yield ListCredentials(user="ana", type="ims", data="ana-sip")
    (found,) = answer
    assert (found.source, found.user, found.data) == ("gateway", "ana", {"username": "ana-sip"})
    assert SECRET not in str(setup.dump())


@case(
    CreateCredential,
    by="ana",
    not_for=("pat", "guest"),
    bad={
        400: {
            "source": ["a@b"],
            "domain": ["guests"],
            "lease": [-1, 1.5],
            ("type", "data"): [("token", {"token": "short"})],
        },
        403: {"user": ["pat"]},
        409: {"type": ["basic"]},
    },
)
def create_credential(setup: CaseSetup) -> Steps:
    answer = yield CreateCredential(
        source="gateway",
        type="svc-ims",
        domain="desk.example",
        user="ana",
        data={"username": "ana-sip", "password": SECRET},
        lease=3600,
        context=CONTEXT,
    )
    assert answer.id.endswith("@gateway")
    assert (answer.type, answer.user, answer.lease, answer.data) == ("svc-ims", "ana", 3600, {"username": "ana-sip"})
    assert SECRET not in str(setup.dump())
    with setup.platform.read() as tx:
        assert CREDENTIALS.need(tx, answer.id).context == CONTEXT
        assert credentials.secret_of(setup.platform, tx, answer.id) == {"password": SECRET}


@case(GetCredential, by="ana", not_for=("pat", "guest"), bad={404: {"id": ["no@gateway"]}})
def get_credential(setup: CaseSetup) -> Steps:
    answer = yield GetCredential(id=_credential(setup).id)
    assert (answer.type, answer.source, answer.data) == ("ims", "gateway", {"username": "ana-sip"})


@case(
    UpdateCredential,
    by="ana",
    not_for=("pat", "guest"),
    bad={400: {"source": [""], "lease": [-1], "domain": ["guests"]}, 403: {"user": ["pat"]}},
)
def update_credential(setup: CaseSetup) -> Steps:
    answer = yield UpdateCredential(id=_credential(setup).id.partition("@")[0], source="pbx", lease=60)
    assert answer.id.endswith("@pbx")
    assert (answer.type, answer.lease, answer.data) == ("ims", 60, {"username": "ana-sip"})
    with setup.platform.read() as tx:
        assert credentials.secret_of(setup.platform, tx, answer.id) == {"password": SECRET}
        assert CREDENTIALS.count(tx, CREDENTIALS.c.user == "ana", CREDENTIALS.c.type == "ims") == 1
