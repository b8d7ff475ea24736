"""Does what `collectives run` is asked for: executes, proves, compares, shows, and writes."""

from __future__ import annotations

from dataclasses import dataclass

from collectives.cli.console import say, say_report
from collectives.cli.data import Data, check_result_path, read_data, write_result
from collectives.cli.subject import Subject
from collectives.errors import BadInput, WrongSchedule
from collectives.proof.run_report import RunReport
from collectives.recording.payload import find_dtype, is_float
from collectives.recording.recording import Recording
from collectives.recording.saved import save
from collectives.words import plural, quoted

Span = tuple[int, int]


@dataclass(frozen=True)
class RunOptions:
    """The options of `run` beside those of its subject; None where not given."""

    dtype: str | None
    op: str | None
    data: str | None
    counts_only: bool
    exact: bool
    span: Span | None
    as_json: bool
    output: str | None

    @property
    def saves(self) -> bool:
        """Whether the recording is written, not its result."""
        return self.output is not None and self.output.endswith(".json")

    def check(self, moves_data: bool) -> None:
        """Raise BadInput for data and results where nothing is executed or moved."""
        if self.counts_only and self.exact:
            raise BadInput("--exact: --counts-only executes nothing; leave one of them out")
        for name, file in {"--data": self.data, "-o": self.output}.items():
            if file is None or (name == "-o" and self.saves):
                continue
            if self.counts_only:
                rule = "--counts-only executes nothing; leave one of them out"
                raise BadInput(f"{name} {quoted(file)}: {rule}")
            if not moves_data:
                hint = "; try: -o FILE.json" if name == "-o" else "; leave it out"
                raise BadInput(f"{name} {quoted(file)}: a barrier moves no data{hint}")


def run_subject(subject: Subject, options: RunOptions) -> None:
    """`collectives run`; raises BadInput, and WrongSchedule where the algorithm is wrong."""
    options.check(subject.moves_data)
    data = None if options.data is None else _read(options, subject)
    recording = subject.recording(
        options.dtype,
        options.op,
        None if data is None else data.vectors,
        executed=not options.counts_only,
    )
    span = _span(options.span, len(recording.steps))
    if options.exact:
        _check_exact(recording)
    output = options.output
    if output is not None and not options.saves:
        check_result_path(output, recording)
    verdict = None if options.counts_only else recording.check()
    report = RunReport(recording, verdict, span, options.exact)
    wrong = report.wrong
    written = output is not None and not wrong
    if output is not None and written:
        if options.saves:
            save(recording, output)
        else:
            write_result(output, recording, list(report.held), data)
    say_report(report, options.as_json)
    if written and not options.as_json:
        say(f"written: {output}{_what_it_holds(options, recording)}")
    if wrong:
        raise WrongSchedule(wrong)


def _what_it_holds(options: RunOptions, recording: Recording) -> str:
    """What cannot be seen from the name of the file that was written."""
    if options.saves:
        first = next(iter(recording.steps), None)
        where = " nor where programs of ranks stand" if first and first.standing else ""
        return f" (the schedule, not its data{where})"
    if recording.dtype.name == "bfloat16":
        return " (bytes to numpy.load, which .view(ml_dtypes.bfloat16) makes numbers)"
    return ""


def _read(options: RunOptions, subject: Subject) -> Data:
    """The data of the options, if it is what they say it is."""
    assert options.data is not None
    data = read_data(options.data, options.dtype)
    kind, name = data.vectors.dtype, f"--data {quoted(options.data)}"
    if options.dtype is not None and find_dtype(options.dtype) != kind:
        raise BadInput(f"--dtype {options.dtype}: the data is {kind}; leave --dtype out")
    if options.op == "avg" and not is_float(kind):
        raise BadInput(f"{name}: is {kind}, and avg needs floats; try: save it as float64")
    rows = len(data.vectors)
    if subject.ranks is not None and subject.ranks != rows:
        raise BadInput(
            f"{name}: has {rows} rows, -n says {plural(subject.ranks, 'rank')}; try: -n {rows}"
        )
    return data


def _check_exact(recording: Recording) -> None:
    """Raise BadInput where there is no sum of floats to compare."""
    what, op, kind = recording.collective.title, recording.op, recording.dtype
    if not recording.collective.reduces:
        raise BadInput(f"--exact: {what} adds nothing; leave it out")
    if op not in ("sum", "avg") or not is_float(kind):
        raise BadInput(
            f"--exact: compares sums of floats, not the {op} of {kind}; try: --dtype float64"
            + (" --op sum" if op not in ("sum", "avg") else "")
        )


def _span(span: Span | None, total: int) -> Span | None:
    """The steps to show; raises BadInput where they are not among those there are."""
    if span is None:
        return None
    first, last = span
    text = f"--steps {first}-{last}"
    if not total:
        raise BadInput(f"{text}: there is no step; leave it out")
    if not 1 <= first <= last <= total:
        low, high = sorted((min(max(first, 1), total), min(max(last, 1), total)))
        near = f"{low}-{high}" if (low, high) != (1, 1) else f"1-{total}"
        raise BadInput(f"{text}: must be within the steps 1 to {total}; try: {near}")
    return span
