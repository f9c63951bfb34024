"""Bugs of records, operations, client, and the modules above the packages."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "null is sent for inputs that were not given",
        "records/structured.py",
        "if value is not None or name not in fields or fields[name].default is not None",
        "if value is not None or name in fields",
        "unit/test_omitted_inputs.py",
    ),
    bug(
        "an address to resolve cannot be in the path",
        "api/route_fit.py",
        "        elif each.or_in_path:\n",
        "        elif each.or_in_path and each.required:\n",
        "client/test_client_provisioning.py -k path",
    ),
    bug(
        "a secret names the record of a change",
        "api/request.py",
        " if not each.secret]\n        value = values",
        "]\n        value = values",
        "kinds/test_secret_inputs.py",
    ),
    bug(
        "an absurd duration ends the console",
        "views/words.py",
        "max(0, int(min(ms, _LARGEST) // 1000))",
        "max(0, int(ms / 1000))",
        "views/test_words.py",
    ),
    Bug(
        "escape sequences are filtered instead of characters",
        "text.py",
        (
            ("import unicodedata\n", "import re\nimport unicodedata\n"),
            ("    if code < 0x20:\n", "    if code < 0x20 and code != 0x1B:\n"),
            ("    if category in _UNSEEN or", "    if (category in _UNSEEN and code != 0x1B) or"),
            (
                "    text = value if isinstance(value, str) else _words(value)\n    if len(text) <= limit and",
                "    text = value if isinstance(value, str) else _words(value)\n"
                '    text = re.sub("\\x1b\\\\[[0-9;]*[A-Za-z]", "", text)\n    if len(text) <= limit and',
            ),
        ),
        "unit/test_text.py",
    ),
    bug(
        "the bell is taken out after the rest was cleaned",
        "text.py",
        "    if code < 0x20:\n",
        '    if code == 7:\n        return "", _Sort.DROPPED, 0\n    if code < 0x20:\n',
        "unit/test_text.py",
    ),
    bug(
        "rows of the provisioning service are read in camel case",
        "records/fields.py",
        "declared.wire or kind.wire_name(name)",
        "declared.wire or camel(name)",
        "unit/test_raw_rows.py -k own_names",
    ),
    bug(
        "the content type decides whether an answer is a page",
        "api/answer_check.py",
        """    if not text or text[0] in '{["'""",
        """    if "html" not in media or not text or text[0] in '{["'""",
        "client/test_answer_formats.py",
    ),
    bug(
        "an object is read although it has nothing of what was declared",
        "api/answer_check.py",
        "    if came and not shape_of(kind).names.keys() & came.keys():\n",
        "    if came and not kind:\n",
        "client/test_answer_formats.py",
    ),
    bug(
        "events that are not UTF-8 are believed",
        "api/events.py",
        "if not (text.isascii() or _is_utf8(text)):",
        "if False:",
        "client/test_client_stream.py -k utf_8",
    ),
    bug(
        "the second try has another idempotency key",
        "client/client.py",
        "            return await self._fetch(request, self.sessions.token, change, etag)",
        "            other = change and _Change(str(uuid.uuid4()), change.until)\n"
        "            return await self._fetch(request, self.sessions.token, other, etag)",
        "client/test_client_requests.py -k idempotency",
    ),
    bug(
        "a read-only profile is a matter of the screens",
        "client/client.py",
        "if self.endpoint.read_only and",
        "if self.endpoint.read_only and once and",
        "client/test_client_requests.py -k read_only",
    ),
    bug(
        "redirects are followed",
        "client/http.py",
        "follow_redirects=False",
        "follow_redirects=True",
        "client/test_client_http.py -k redirects",
    ),
    bug(
        "any certificate of the right authority is good enough",
        "client/endpoint.py",
        "        context.minimum_version",
        "        context.check_hostname = False\n        context.minimum_version",
        "client/test_client_tls.py -k another",
    ),
    bug(
        "a page with a success status is an answer",
        "client/errors.py",
        "    if request.is_foreign(body, media):\n",
        "    if request.is_foreign(body, media) and status >= 300:\n",
        "client/test_answer_formats.py",
    ),
    bug(
        "an ETag is sent back that no header can hold",
        "client/client.py",
        "return header if header and len(header) <= LONGEST_ETAG and can_be_sent(header) else None",
        "return header",
        "live/test_silent_changes.py -k etag",
    ),
    bug(
        "a secret whose name has an underscore is shown",
        "records/secrets.py",
        'return name.replace("_", "").replace("-", "").lower() in _NAMES',
        "return name.lower() in _NAMES",
        "unit/test_secrets.py",
    ),
    bug(
        "times in seconds are read as milliseconds",
        "records/moments.py",
        "        return value * 1_000\n",
        "        return value\n",
        "unit/test_moments.py",
    ),
    bug(
        "every text means yes",
        "records/tolerance.py",
        "return _FLAGS.get(value[:_LONGEST].strip().lower(), value)",
        "return bool(value.strip())",
        "unit/test_tolerance.py",
    ),
    bug(
        "a field that a row lost with another change comes back in the past",
        "records/row_changes.py",
        "    if gone:\n",
        "    if gone and not changed:\n",
        "recording/test_kind_writer.py",
    ),
    bug(
        "the file of the machine overrides that of the user",
        "config_file.py",
        "[where.site_config_file, where.config_file]",
        "[where.config_file, where.site_config_file]",
        "unit/test_config.py -k system_file",
    ),
    bug(
        "a file of secrets that the group can read is used",
        "paths.py",
        "& 0o077",
        "& 0o007",
        "unit/test_private_files.py",
    ),
    bug(
        "a note that one person dismissed is gone for all",
        "notes.py",
        "if who not in each.dismissed and each.at_ms >",
        "if not each.dismissed and each.at_ms >",
        "unit/test_notes.py",
    ),
)
