"""Closed forms that several algorithms share."""

from __future__ import annotations

from collectives.theory import SENT, Form, Letter, exact
from collectives.theory.form import Count


def all_but_one(
    steps: str, messages: str, exact_sent: Count | None = None, where: tuple[Letter, ...] = ()
) -> Form:
    """Every rank sends all chunks but one, one and the same rank the most of them in every step."""
    return Form(steps, messages, "(N-1)/N*S", "(N-1)*S", SENT, where, exact_sent)


def twice_all_but_one(
    steps: str, messages: str, exact_sent: Count | None = None, where: tuple[Letter, ...] = ()
) -> Form:
    """As `all_but_one` with twice the bytes: those that an all-reduce needs."""
    return Form(steps, messages, "2*(N-1)/N*S", "2*(N-1)*S", SENT, where, exact_sent)


CHAIN = Form("N-2+q", "q*(N-1)", "S", "(N-1)*S", "(N-2+q)/q*S")
FOLDED_DOUBLING = Form(
    "L+2*min(R,1)", "P*L+2*R", "(L+min(R,1))*S", "(P*L+2*R)*S", "(L+2*min(R,1))*S"
)
RING = twice_all_but_one("2*(N-1)", "2*N*(N-1)", exact.twice_round_the_ring)
