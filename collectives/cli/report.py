"""Does what `run`, `check` and `list --json` are asked for, and prints it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from collectives.catalog import ROWS, Row
from collectives.checking import check as check_function
from collectives.checking import check_row
from collectives.cli import show
from collectives.cli.compare import Comparison, compare
from collectives.cli.data import check_result_path, read_data, write_result
from collectives.cli.subject import Subject
from collectives.errors import BadInput, WrongSchedule
from collectives.files import check_writable
from collectives.formats.recording_json import save
from collectives.payload import check_operator, find_dtype
from collectives.proof import Verdict
from collectives.recording import Recording

DEFAULT_CHECK = range(1, 34)


def run_subject(
    subject: Subject,
    dtype: str | None,
    op: str | None,
    data: str | None,
    counts_only: bool,
    exact: bool,
    span: str | None,
    as_json: bool,
    output: str | None,
) -> bool:
    """`collectives run`; whether the algorithm is right."""
    if output is not None and not output.endswith((".npy", ".npz", ".json")):
        raise BadInput(f"-o {output}: must end in .npy, .npz (the result) or .json (a recording)")
    if output is not None:
        check_writable(output)
    if counts_only and (data or exact or (output and not output.endswith(".json"))):
        raise BadInput("--counts-only executes nothing, so it has no data and no result")
    given = None if data is None else read_data(data)
    if given is not None and dtype is not None and find_dtype(dtype) != given.vectors.dtype:
        raise BadInput(f"--dtype {dtype}: the data is {given.vectors.dtype}; leave --dtype out")
    kind = find_dtype(dtype or (given.vectors.dtype if given else "int64"))
    check_operator(op or "sum", kind)
    recording = subject.recording(
        kind, op or "sum", None if given is None else given.vectors, bool(dtype or op)
    )
    steps = _span(span, len(recording.steps))
    if exact and (
        recording.dtype.kind != "f"
        or recording.op not in ("sum", "avg")
        or not recording.collective.reduces
    ):
        raise BadInput(
            f"--exact compares sums of floats; this is {recording.collective.title}, "
            f"{recording.op} of {recording.dtype}"
        )
    if output is not None and not output.endswith(".json"):
        check_result_path(output, recording)
    verdict: Verdict | None = None
    compared: Comparison | None = None
    held: list[Any] = []
    if not counts_only:
        verdict = recording.check()
        if verdict:
            held = recording.result()
            compared = compare(recording, held, exact)
    right: bool = verdict is None or (compared is not None and compared.within)
    if as_json:
        print_json(run_report(recording, right if verdict is not None else None, compared))
    else:
        _show_run(recording, steps, verdict, compared, held)
    if verdict is not None and not verdict:
        raise_wrong(verdict)
    if output is not None and output.endswith(".json"):
        save(recording, output)
    elif output is not None:
        write_result(output, recording, held, given)
    if output is not None and not as_json:
        print(f"written: {output}")
    return right


def raise_wrong(verdict: Verdict) -> None:
    """Turn a verdict that something is wrong into the error of exit status 1."""
    raise WrongSchedule(str(verdict))


def check_subject(subject: Subject, ranks: list[int] | None, as_json: bool) -> bool:
    """`collectives check`; whether everything is right."""
    numbers = ranks if ranks is not None else list(DEFAULT_CHECK)
    if subject.words == ("all",):
        if subject.root is not None:
            raise BadInput("check all tries the roots by itself; leave --root out")
        return _check_rows(list(ROWS), numbers, None, as_json)
    function = subject.function()
    if function is None and not subject.words[-1].endswith(".json"):
        return _check_rows([subject.row()], numbers, subject.root, as_json)
    if function is None:
        verdict = subject.recording().check()
        name = subject.words[0]
    else:
        extra = {} if subject.chunks is None else {"chunks": subject.chunks}
        verdict = check_function(
            function,
            collective=subject.collective,
            ranks=numbers,
            root=subject.root,
            slots=subject.slots if subject.slots is not None else subject.chunks,
            **extra,
            **subject.parameters,
        )
        name = function.__name__
    if as_json:
        print_json({"ok": verdict.ok, "algorithms": [{"name": name, **_verdict(verdict)}]})
    elif verdict:
        print(verdict)
    if not verdict:
        raise_wrong(verdict)
    return True


def _check_rows(rows: list[Row], numbers: list[int], root: int | None, as_json: bool) -> bool:
    found: list[dict[str, Any]] = []
    wrong: Verdict | None = None
    total = 0
    for row in rows:
        if root is not None:
            numbers = [n for n in numbers if n > root]
            if not row.promise.rooted:
                raise BadInput(f"--root {root}: {row.promise.title} has no root; leave it out")
            if not numbers:
                raise BadInput(f"--root {root}: no number of ranks given has such a rank")
        verdict, cases = check_row(row, numbers, root)
        total += cases
        wrong = wrong or (None if verdict else verdict)
        found.append(
            {
                "collective": row.collective,
                "algorithm": row.algorithm,
                "cases": cases,
                **_verdict(verdict),
            }
        )
        if not as_json:
            print(f"{'right' if verdict else 'WRONG':6} {verdict}")
    if as_json:
        print_json({"ok": wrong is None, "cases": total, "algorithms": found})
    elif wrong is None and len(rows) > 1:
        print(f"{len(rows)} algorithms, {total} cases: all right")
    if wrong is not None:
        raise_wrong(wrong)
    return True


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {"ok": verdict.ok, "text": str(verdict)}


def run_report(
    recording: Recording, correct: bool | None, compared: Comparison | None
) -> dict[str, Any]:
    """Everything `run --json` prints."""
    counted, bound = recording.counters, recording.bound
    report: dict[str, Any] = {
        "collective": recording.collective.name,
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "root": recording.root,
        "nodes": recording.nodes,
        "count": recording.count,
        "dtype": str(recording.dtype),
        "op": recording.op,
        "slots": recording.slots,
        "chunks": recording.chunks,
        "steps": counted.steps,
        "transfers": counted.transfers,
        "messages": counted.messages,
        "ports": counted.ports,
        "latency_units": counted.latency_units,
        "bytes_sent": recording.bytes_sent,
        "bytes_received": recording.bytes_received,
        "bytes_total": counted.total_bytes,
        "correct": correct,
        "lower_bound": {"steps": bound.steps, "ports": bound.ports, "bytes": bound.sent},
        "closed_form": None,
    }
    if recording.row is not None:
        form, case = recording.row.form, recording.case
        report["closed_form"] = {
            "steps": form.steps(case),
            "messages": form.messages(case),
            "bytes": form.sent(case),
            "bytes_total": form.total(case),
            "source": form.source,
        }
    if compared is not None:
        report["rounding"] = {
            "elements": compared.elements,
            "differing": compared.differing,
            "largest": _finite(compared.largest),
            "ranks_disagree": compared.disagreeing,
            "not_finite": compared.not_finite,
            "largest_error": _finite(compared.exact),
        }
    return report


def catalog_report() -> list[dict[str, Any]]:
    """Everything `list --json` prints."""
    return [
        {
            "collective": row.collective,
            "algorithm": row.algorithm,
            "ranks": "any",
            "parameters": list(row.parameters),
            "function": f"{row.function.__module__}.{row.function.__name__}",
            "steps": row.form.text[0],
            "messages": row.form.text[1],
            "bytes": row.form.text[2],
            "bytes_total": row.form.text[3],
            "source": row.form.source,
        }
        for row in ROWS
    ]


def print_json(value: Any) -> None:
    """Print a value as JSON that any reader accepts."""
    print(json.dumps(value, indent=2, allow_nan=False))


def _show_run(
    recording: Recording,
    steps: tuple[int, int] | None,
    verdict: Verdict | None,
    compared: Comparison | None,
    held: list[Any],
) -> None:
    out = show.console()
    if verdict is None:
        out.print(show.heading(recording), style="bold")
        show.show_counters(out, recording)
        out.print("counts only: nothing was executed or proved")
        return
    if not verdict:
        out.print(show.heading(recording), style="bold")
        return
    show.show_run(out, recording, steps)
    show.show_result(out, recording, held)
    show.show_counters(out, recording)
    out.print(f"correct: {verdict}, every contribution exactly once")
    if compared is not None:
        for line in compared.lines(recording.dtype, recording.op):
            out.print(line)


def _span(text: str | None, total: int) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last <= total:
        raise BadInput(f"--steps {text}: must be A-B within the steps 1 to {total}")
    return first, last


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
