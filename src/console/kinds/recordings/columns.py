"""The table of recordings, in both formats (contract 2.14): time, source, duration, size, errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from console.base.text import SafeText, clean, fit
from console.kinds.scope import counted
from console.records.recordings import CallRecording, Recording, RecordingFile
from console.views import columns, words
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, pair, raw_section, rest, say
from console.views.render_context import RenderContext
from console.views.table import Link, Table
from console.views.trend import lately, strip

AnyRecording = Recording | CallRecording
_MOST_FILES = 50
DAY_MS = 24 * 3_600_000


def began(recording: AnyRecording, _render: RenderContext | None = None) -> float | None:
    """Return when the recording started."""
    if isinstance(recording, CallRecording):
        return words.at(recording.ts)
    return words.at(recording.date.start if recording.date else None)


def _ended(recording: AnyRecording) -> float | None:
    if isinstance(recording, CallRecording):
        return None
    return words.at(recording.date.end if recording.date else None)


def length(recording: AnyRecording, _render: RenderContext) -> float | None:
    """Return the duration in ms."""
    start, end = began(recording), _ended(recording)
    return None if start is None or end is None or end < start else end - start


def files_of(recording: AnyRecording) -> Sequence[RecordingFile]:
    """Return the files; those of the earlier variant have only a name."""
    if isinstance(recording, Recording):
        return recording.files
    return [RecordingFile(id=each) for each in (*recording.audio_file, *recording.video_file)]


def size(recording: AnyRecording, _render: RenderContext | None = None) -> float | None:
    """Return the total size of the files in bytes, or None if unknown."""
    sizes = [found for each in files_of(recording) if (found := words.number(each.size)) is not None]
    return sum(sizes) if sizes else None


def fault_of(recording: AnyRecording) -> str | None:
    """Return the error of a recording: no file, an empty file, no end; or None."""
    files = files_of(recording)
    if not files:
        return "no file"
    if any(words.number(each.size) == 0 for each in files):
        return "empty"
    return "no end" if isinstance(recording, Recording) and _ended(recording) is None else None


def _source(recording: AnyRecording, _render: RenderContext) -> str | None:
    if isinstance(recording, CallRecording):
        return f"call {recording.call_id}" if recording.call_id else recording.source
    found = recording.source
    return " ".join(each for each in (found.type, found.id) if each) or None if found else None


def _addresses(recording: AnyRecording, render: RenderContext) -> tuple[str, ...]:
    if isinstance(recording, CallRecording):
        return tuple(each for each in (recording.caller, recording.callee) if each)
    return tuple(words.user_address(each.user_id, render) for each in recording.participants if each.user_id)


def _people(recording: AnyRecording, render: RenderContext) -> str | None:
    return ", ".join(words.name(each, render) or each for each in _addresses(recording, render)) or None


def _types(recording: AnyRecording, _render: RenderContext) -> str | None:
    return ", ".join(dict.fromkeys(each.mime_type for each in files_of(recording) if each.mime_type)) or None


def _domain(recording: AnyRecording, _render: RenderContext) -> str | None:
    return recording.domain if isinstance(recording, Recording) else None


def _fault_cell(recording: AnyRecording, render: RenderContext) -> Cell:
    found = fault_of(recording)
    return Cell(clean(found), Tone.WARN) if found else Cell(words.dash(render), Tone.QUIET)


def _size_cell(recording: AnyRecording, render: RenderContext) -> Cell:
    found = size(recording)
    return Cell(words.size(found, render), Tone.QUIET if found is None else Tone.PLAIN)


def totals(recordings: Iterable[AnyRecording], render: RenderContext) -> Line:
    """Return the number of recordings, errors, recordings per day, total duration and size, and the oldest."""
    everything = list(recordings)
    line = [Cell(clean(counted("recordings", len(everything), "recording", render)), Tone.STRONG)]
    for fault, many in Counter(fault for each in everything if (fault := fault_of(each))).most_common():
        line += [gap(), Cell(clean(f"{words.amount(many)} {fault}"), Tone.WARN)]
    doubles = _doubles(everything)
    if doubles:
        line += [gap(), Cell(clean(f"{words.plural(doubles, 'file')} twice"), Tone.WARN)]
    line += strip(lately(map(began, everything), DAY_MS, 7, render), "7 days", render)
    lengths = [found for each in everything if (found := length(each, render)) is not None]
    sizes = [found for each in everything if (found := size(each)) is not None]
    starts = [found for each in everything if (found := began(each)) is not None]
    if lengths:
        line += [gap(), Cell(words.age(sum(lengths), render))]
    if sizes:
        line += [gap(), Cell(words.size(sum(sizes), render))]
    if starts:
        line += [gap(), Cell(clean("oldest "), Tone.QUIET), Cell(words.clock(min(starts), render))]
    domains = Counter(domain for each in everything if (domain := _domain(each, render)))
    if len(domains) > 1:
        domain, many = domains.most_common(1)[0]
        line += [gap(), Cell(clean(f"most in {domain}: {words.amount(many)}", 50), Tone.QUIET)]
    return tuple(line)


def _doubles(recordings: Iterable[AnyRecording]) -> int:
    """Return the number of files with the same content as another, by hash."""
    hashes = Counter(file.hash for each in recordings for file in files_of(each) if file.hash and file.size != 0)
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
        pair("Started", words.moment(began(recording), render), render),
        pair("Length", words.age(length(recording, render), render), render),
        pair("Size", words.size(size(recording), render), render),
        pair("Domain", _domain(recording, render), render),
        pair("Id", recording.id, render),
    ]
    fault = fault_of(recording)
    if fault:
        summary.append(say(f"Fault: {fault}.", Tone.WARN))
    lines: list[Line] = []
    for each in files[:_MOST_FILES]:
        empty = words.number(each.size) == 0
        lines.append(
            (
                Cell(
                    fit(words.size(words.number(each.size), render), 8, right=True), Tone.WARN if empty else Tone.PLAIN
                ),
                gap(),
                Cell(clean(each.mime_type or "", 30)),
                gap(),
                Cell(clean(each.id or "", 60), Tone.QUIET),
            )
        )
        if each.hash:
            lines.append((gap(" " * 10), Cell(clean(each.hash, 80), Tone.QUIET)))
    lines += rest(len(files) - _MOST_FILES, "file")
    return (
        *faults_section(recording),
        Section("summary", "Recording", tuple(summary)),
        Section("files", f"Files {len(files)}", tuple(lines) or (say("None.", Tone.WARN),)),
        raw_section(recording, render),
    )


def links(recording: AnyRecording, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the call and its users."""
    if isinstance(recording, CallRecording):
        call = recording.call_id
    else:
        source = recording.source
        call = source.id if source and source.type == "call" else None
    found = [Link("call", "calls", call)] if call else []
    users = (words.user_id(each, render) for each in _addresses(recording, render))
    return (*found, *(Link("user", "users", each) for each in users if each))


TABLE: Table[AnyRecording] = Table(
    kind="recordings",
    title="Recordings",
    one="recording",
    order="-began",
    columns=columns.marked(
        (
            columns.text("source", "Of", 16, _source, grows=True, aliases=("call",)),
            columns.time("began", "Started", 12, began, aliases=("date",)),
            columns.lasting("length", "Length", length),
            columns.custom("size", "Size", 8, size, _size_cell, kind="number", right=True),
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
            columns.number("files", "Files", 5, lambda each, _render: len(files_of(each)), priority=3),
            columns.text("type", "Type", 12, _types, priority=4),
            columns.custom(
                "fault", "Fault", 8, lambda each, _render: fault_of(each), _fault_cell, priority=1, closed=True
            ),
            columns.identity(lambda each: each.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
)
