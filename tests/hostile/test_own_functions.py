"""Hostile own functions: whatever they do, the command line says so in one line, and ends."""

from each import each
from runner import contents, judge, sampled, swept, table, title

SECONDS = 15  # own code is stopped after a stated time
CASES = table("own_functions")["case"]
START = "import numpy as np\nfrom collectives import reduce, send\n"


def run(server, case, verb="run"):
    """Run the function of a case to the very end of the interpreter, and judge how it ends."""
    (server.folder / "own.py").write_text(START + case["code"])
    before = contents(server.folder)
    options = case.get("options", "--slots 1").split()
    ended = server.run([verb, f"own.py:{case['name']}", *options], whole=True, seconds=SECONDS)
    made = swept(server.folder, before)
    judge(ended, case["status"], case.get("names", []), SECONDS)
    assert not made, f"left behind: {made}"


@each("case", sampled(CASES, 5), title, few=5)
def test_an_own_function_is_run_or_explained_in_one_line(server, case):
    run(server, case)


@each("case", [case for case in sampled(CASES, 20) if case["status"] != [0]], title)
def test_an_own_function_is_checked_or_explained_in_one_line(server, case):
    options = case.get("options", "--slots 1").replace("--json", "")
    options += "" if "-n " in options else " -n 4"
    status = sorted({0, 1, *case["status"]} - ({0} if case.get("wrong") else set()))
    run(server, {**case, "options": options, "status": status, "names": []}, "check")
