"""Made incidents: the judge names what was made wrong, and never a rank that did nothing wrong."""

import json
import pickle
from collections import Counter

import pytest
from incident_files import WRITERS, flight_recorder, watchdog
from incidents import Job, incident

import collectives

NAMED = {  # what a report may call an incident
    "behind": {"behind"},
    "missing": {"missing", "absent"},
    "operation": {"operation"},
    "size": {"size"},
    "dtype": {"dtype"},
    "order": {"order"},
    "group": {"group"},
    "skipped": {"skipped"},
    "subgroup": {"behind", "missing"},
    "peer": {"peer"},
    "circle": {"peer"},
    "chain": {"peer"},
    "tangled": {"behind", "peer"},
    "crossed": {"order"},
    "healthy": {""},
}
CASES = [(kind, seed) for kind in NAMED for seed in range(4)]  # 52


def first(path_list):
    report = collectives.log(*path_list)
    findings = report.hang.findings
    return report, findings[0] if findings else None


@pytest.mark.parametrize("name", WRITERS)
def test_the_cause_is_named_and_never_a_wrong_rank(name, tmp_path):
    score, misses, wrong = Counter(), [], []
    for kind, seed in CASES:
        made = incident(kind, seed)
        folder = tmp_path / f"{kind}_{seed}"
        folder.mkdir()
        if kind == "healthy" and name == "watchdog":
            continue  # it has no lines
        report, finding = first(WRITERS[name](made.job, folder))
        local = translated(made.job, report, finding)
        if made.formats == tuple(WRITERS) or name in made.formats:
            score["seen"] += 1
            said = finding.kind if finding else ""
            if said in NAMED[kind] and (not finding or set(local) == set(made.ranks)):
                score["named"] += 1
            else:
                misses.append((kind, seed, said, finding and finding.text))
        if not set(local) <= set(made.ranks):
            wrong.append((kind, seed, local, made.ranks, finding.text))
    assert not wrong
    assert score["named"] >= score["seen"] * 0.95, misses


@pytest.mark.parametrize("seed", range(2))
def test_of_dumps_that_lost_their_first_entries_no_wrong_rank_is_named(seed, tmp_path):
    for kind in NAMED:
        made = incident(kind, seed)
        folder = tmp_path / kind
        folder.mkdir()
        paths = flight_recorder(made.job, folder)
        for at, path in enumerate(paths):
            is_json = path.suffix == ".json"
            content = json.loads(path.read_bytes()) if is_json else pickle.loads(path.read_bytes())
            content["entries"] = content["entries"][-(1 + at % 4) :]
            path.write_bytes(json.dumps(content).encode() if is_json else pickle.dumps(content, 2))
        findings = collectives.log(*paths).hang.findings
        named = {rank for one in findings if not one.follows for rank in one.ranks}
        assert named <= set(made.ranks), (kind, findings)


def translated(job, report, finding):
    """The ranks of a finding as ranks of the job."""
    if finding is None:
        return ()
    group = next((g for g in report.hang.evidence.groups if g.key == finding.group), None)
    if group is None or not group.is_local:
        return finding.ranks
    number = int(group.key, 16) & 0xFF if len(group.key) == 16 else int(group.key.split()[1])
    members = sorted(list(job.groups.values())[number])
    return tuple(members[position] for position in finding.ranks)


@pytest.mark.parametrize("write", [flight_recorder, watchdog])
def test_of_two_ranks_that_differ_none_is_singled_out(write, tmp_path):
    kinds = ("all_reduce", "broadcast")
    calls = {rank: [("0", kind, 8, "Float")] for rank, kind in enumerate(kinds)}
    job = Job({"0": [0, 1]}, calls).run()
    job.is_stopped = True
    (finding,) = collectives.log(*write(job, tmp_path)).hang.findings
    assert (finding.kind, finding.ranks) == ("operation", ())
    assert "rank 0" in finding.text and "rank 1" in finding.text


@pytest.mark.parametrize("is_behind", [False, True])
def test_a_call_that_differed_and_completed_is_no_hang_and_hides_none(is_behind, tmp_path):
    calls = {rank: [("0", "all_reduce", 8, "Float")] * 4 for rank in range(4)}
    job = Job({"0": [0, 1, 2, 3]}, calls, {3: 2} if is_behind else {}).run()
    job.is_stopped = is_behind
    for rank in range(4):  # the first call of rank 1 had another size, and went on
        calls[rank][0] = ("0", "all_reduce", 9 if rank == 1 else 8, "Float")
    report = collectives.log(*flight_recorder(job, tmp_path))
    kinds = [(one.kind, one.ranks, one.is_still) for one in report.hang.findings]
    behind = [("behind", (3,), True)] * is_behind
    assert sorted(kinds) == sorted([("size", (1,), False), *behind])
    assert report.hang.verdict == ("hang" if is_behind else "ranks differ")
