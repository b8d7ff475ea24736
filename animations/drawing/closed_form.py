"""Closed forms in Typst's notation."""

from __future__ import annotations

import ast

NOTATION = {
    ast.Add: "{} + {}",
    ast.Sub: "{} - {}",
    ast.Mult: "{} dot {}",
    ast.Div: "frac({}, {})",
    ast.FloorDiv: "floor(frac({}, {}))",
    ast.Pow: "{}^({})",
}
LETTERS = {"C": "ceil(log_2 N)", "L": "floor(log_2 N)", "P": "2^(floor(log_2 N))"}


def typst(formula: str, within: bool = False) -> str:
    """A formula of `theory` in Typst's notation; in brackets if it is a sum `within` a product.

    >>> typst("2*(N-1)/N*S")
    'frac(2 dot (N - 1), N) dot S'
    >>> typst("C*S + (radix-1)*(N//radix)")
    'ceil(log_2 N) dot S + ("radix" - 1) dot floor(frac(N, "radix"))'
    """
    body = ast.parse(formula, mode="eval").body
    return _bracketed(body) if within else _typeset(body)


def _typeset(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return LETTERS.get(name, name if len(name) == 1 else f'"{name}"')
        case ast.Constant(value=value):
            return str(value)
        case ast.BinOp(left=left, op=op, right=right):
            a = _bracketed(left) if isinstance(op, ast.Mult | ast.Pow) else _typeset(left)
            b = _bracketed(right) if isinstance(op, ast.Mult | ast.Sub) else _typeset(right)
            return NOTATION[type(op)].format(a, b)
        case ast.UnaryOp(operand=operand):
            return f"-{_bracketed(operand)}"
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{name}({', '.join(map(_typeset, args))})"
    raise ValueError(f"{ast.unparse(node)} has no notation")


def _bracketed(node: ast.expr) -> str:
    """A part of a product, in brackets if it is a sum."""
    text = _typeset(node)
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return f"({text})" if is_sum else text
