"""The table of recordings, in both formats (contract 2.14): time, source, duration, size, errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from console.base.text import SafeText, clean, fit
from console.kinds.scope import counted
from console.records.extent import Extent
from console.records.recordings import CallRecording, Recording, RecordingFile
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, labelled, listed, pair, raw_section, rest, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table
from console.views.trend import lately, strip

AnyRecording = Recording | CallRecording
_MOST_FILES = 50
DAY_MS = 24 * 3_600_000


def began(recording: AnyRecording, _render: RenderContext | None = None) -> float | None:
    """Return when the recording started."""
    if isinstance(recording, CallRecording):
        return wording.at(recording.ts)
    return wording.at(recording.date.start if recording.date else None)


def _ended(recording: AnyRecording) -> float | None:
    if isinstance(recording, CallRecording):
        return None
    return wording.at(recording.date.end if recording.date else None)


def length(recording: AnyRecording, _render: RenderContext) -> float | None:
    """Return the duration in ms."""
    start, end = began(recording), _ended(recording)
    return None if start is None or end is None or end < start else end - start


def files_of(recording: AnyRecording) -> Sequence[RecordingFile]:
    """Return the files, which have only a name in the earlier variant."""
    if isinstance(recording, Recording):
        return recording.files
    return [RecordingFile(id=value) for value in (*recording.audio_file, *recording.video_file)]


def _files_known(recording: AnyRecording) -> bool:
    """Return whether the list of files can be read."""
    return not recording.unread(*(("files",) if isinstance(recording, Recording) else ("audio_file", "video_file")))


def _file_count(recording: AnyRecording) -> int | None:
    return len(files_of(recording)) if _files_known(recording) else None


def size(recording: AnyRecording, _render: RenderContext | None = None) -> float | None:
    """Return the total size of the files in bytes, or None if unknown."""
    sizes = [number for file in files_of(recording) if (number := wording.number(file.size)) is not None]
    return sum(sizes) if sizes else None


def _size_exact(recording: AnyRecording) -> bool:
    """Return whether the size of every file is known."""
    return _files_known(recording) and all(wording.number(file.size) is not None for file in files_of(recording))


def fault_of(recording: AnyRecording) -> str | None:
    """Return the error of a recording: no file, an empty file, no end; or None."""
    if not _files_known(recording):
        return None
    files = files_of(recording)
    if not files:
        return "no file"
    if any(wording.number(file.size) == 0 for file in files):
        return "empty"
    is_open = isinstance(recording, Recording) and not recording.unread("date") and _ended(recording) is None
    return "no end" if is_open else None


def _source(recording: AnyRecording, _render: RenderContext) -> str | None:
    if isinstance(recording, CallRecording):
        return f"call {recording.call_id}" if recording.call_id else recording.source
    recording_source = recording.source
    return (
        " ".join(value for value in (recording_source.type, recording_source.id) if value) or None
        if recording_source
        else None
    )


def _addresses(recording: AnyRecording, render: RenderContext) -> tuple[str, ...]:
    if isinstance(recording, CallRecording):
        return tuple(value for value in (recording.caller, recording.callee) if value)
    return tuple(
        wording.user_address(participant.user_id, render)
        for participant in recording.participants
        if participant.user_id
    )


def _people(recording: AnyRecording, render: RenderContext) -> str | None:
    return ", ".join(wording.name(address, render) or address for address in _addresses(recording, render)) or None


def _types(recording: AnyRecording, _render: RenderContext) -> str | None:
    return ", ".join(dict.fromkeys(file.mime_type for file in files_of(recording) if file.mime_type)) or None


def _domain(recording: AnyRecording, _render: RenderContext) -> str | None:
    return recording.domain if isinstance(recording, Recording) else None


def _fault_cell(recording: AnyRecording, render: RenderContext) -> Cell:
    fault = fault_of(recording)
    return Cell(clean(fault), Tone.WARN) if fault else Cell(wording.dash(render), Tone.QUIET)


def _size_cell(recording: AnyRecording, render: RenderContext) -> Cell:
    recording_size = size(recording)
    if recording_size is None:
        return Cell(wording.dash(render), Tone.QUIET)
    return Cell(wording.least(wording.size(recording_size, render), render, exact=_size_exact(recording)))


def totals(recordings: Collection[AnyRecording], render: RenderContext) -> Line:
    """Return the number of recordings, errors, recordings per day, total duration and size, and the oldest."""
    line = [Cell(clean(counted("recordings", len(recordings), "recording", render)), Tone.STRONG)]
    for fault, many in Counter(fault for recording in recordings if (fault := fault_of(recording))).most_common():
        line += [gap(), Cell(clean(f"{wording.amount(many)} {fault}"), Tone.WARN)]
    doubles = _doubles(recordings)
    if doubles:
        line += [gap(), Cell(clean(f"{wording.plural(doubles, 'file')} twice"), Tone.WARN)]
    line += strip(lately(map(began, recordings), DAY_MS, 7, render), "7 days", render)
    lengths = [known for recording in recordings if (known := length(recording, render)) is not None]
    sizes = [known for recording in recordings if (known := size(recording)) is not None]
    starts = [known for recording in recordings if (known := began(recording)) is not None]
    whole = render.extent("recordings") is Extent.WHOLE
    if lengths:
        exact = whole and len(lengths) == len(recordings)
        line += [gap(), Cell(wording.least(wording.age(sum(lengths), render), render, exact=exact))]
    if sizes:
        exact = whole and all(map(_size_exact, recordings))
        line += [gap(), Cell(wording.least(wording.size(sum(sizes), render), render, exact=exact))]
    if starts:
        # Another one may have started before.
        oldest = "oldest " if whole and len(starts) == len(recordings) else "oldest known "
        line += [gap(), Cell(clean(oldest), Tone.QUIET), Cell(wording.clock(min(starts), render))]
    domains = Counter(domain for recording in recordings if (domain := _domain(recording, render)))
    if len(domains) > 1:
        domain, many = domains.most_common(1)[0]
        line += [gap(), Cell(clean(f"most in {domain}: {wording.amount(many)}", 50), Tone.QUIET)]
    return tuple(line)


def _doubles(recordings: Iterable[AnyRecording]) -> int:
    """Return the number of files with the same content as another, by hash."""
    hashes = Counter(
        file.hash for recording in recordings for file in files_of(recording) if file.hash and file.size != 0
    )
    return sum(many - 1 for many in hashes.values())


def name(recording: AnyRecording, render: RenderContext) -> SafeText:
    """Return the name of a recording in a sentence: its source."""
    return clean(f"recording of {_source(recording, render) or recording.id}", 80)


def detail(recording: AnyRecording, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a recording: source, and each file with its hash."""
    files = files_of(recording)
    summary = [
        pair("Of", _source(recording, render), render, Tone.STRONG),
        pair("People", _people(recording, render), render),
        pair("Started", wording.moment(began(recording), render), render),
        pair("Length", wording.age(length(recording, render), render), render),
        labelled("Size", [_size_cell(recording, render)]),
        pair("Domain", _domain(recording, render), render),
        pair("Id", recording.id, render),
    ]
    fault = fault_of(recording)
    if fault:
        summary.append(text_line(f"Fault: {fault}.", Tone.WARN))
    lines: list[Line] = []
    for file in files[:_MOST_FILES]:
        empty = wording.number(file.size) == 0
        lines.append(
            (
                Cell(
                    fit(wording.size(wording.number(file.size), render), 8, right=True),
                    Tone.WARN if empty else Tone.PLAIN,
                ),
                gap(),
                Cell(clean(file.mime_type or "", 30)),
                gap(),
                Cell(clean(file.id or "", 60), Tone.QUIET),
            )
        )
        if file.hash:
            lines.append((gap(" " * 10), Cell(clean(file.hash, 80), Tone.QUIET)))
    lines += rest(len(files) - _MOST_FILES, "file")
    title = f"Files {wording.count(_file_count(recording), render)}"
    field = "files" if isinstance(recording, Recording) else "audio_file"
    return (
        *faults_section(recording),
        Section("summary", "Recording", tuple(summary)),
        Section("files", title, listed(recording, field, lambda: tuple(lines), "None.", Tone.WARN)),
        raw_section(recording, render),
    )


def links(recording: AnyRecording, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the call and its users."""
    if isinstance(recording, CallRecording):
        call = recording.call_id
    else:
        source = recording.source
        call = source.id if source and source.type == "call" else None
    all_links = [Link("call", "calls", call)] if call else []
    users = (wording.user_id(address, render) for address in _addresses(recording, render))
    return (*all_links, *(Link("user", "users", user) for user in users if user))


TABLE: Table[AnyRecording] = Table(
    kind="recordings",
    title="Recordings",
    one="recording",
    order="-began",
    columns=columns.marked(
        (
            columns.text("source", "Of", 16, _source, grows=True, aliases=("call",)),
            columns.time("began", "Started", 12, began, aliases=("date",)),
            columns.lasting("length", "Length", length, priority=1),
            columns.custom("size", "Size", 8, size, _size_cell, priority=1, kind="number", right=True),
            columns.text(
                "people",
                "People",
                24,
                _people,
                also=_addresses,
                priority=1,
                grows=True,
                aliases=("user",),
            ),
            columns.text("domain", "Domain", 18, _domain, priority=2),
            columns.number("files", "Files", 5, lambda any_recording, _render: _file_count(any_recording), priority=3),
            columns.text("type", "Type", 12, _types, priority=4),
            columns.custom(
                "fault",
                "Fault",
                8,
                lambda any_recording, _render: fault_of(any_recording),
                _fault_cell,
                priority=1,
                closed=True,
            ),
            columns.identity(lambda any_recording: any_recording.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
)
