"""Rewrites Python as MicroPython reads it, rule by rule; nothing changes what the code does."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TYPES = ("typing", "collections.abc", "numpy.typing", "__future__", "types")  # modules of types
BUILT_IN = ("dict", "list", "set", "tuple", "type")  # types that take others in brackets


class Plainer(ast.NodeTransformer):
    """Leaves out annotations and docstrings; writes out dataclasses, stars, unions and f-strings.

    replaced: what stands in for modules. tracks: whether yields note their line.
    """

    def __init__(self, replaced: Mapping[str, str], tracks: bool) -> None:
        self._replaced, self._tracks = replaced, tracks
        self._types = {"TYPE_CHECKING"}

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """The statements of the top level."""
        return ast.Module(list(self._statements(node.body)), [])

    def visit_Import(self, node: ast.Import) -> ast.stmt | None:
        """The import of what stands in for a module; none of a module of types."""
        names = []
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name in TYPES:
                self._types.add(name)
            elif alias.name in self._replaced:
                names.append(ast.alias(self._replaced[alias.name], name))
            else:
                names.append(alias)
        return ast.Import(names) if names else None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | None:
        """As `visit_Import`."""
        if node.module in TYPES:
            self._types |= {alias.asname or alias.name for alias in node.names}
            return None
        module = str(node.module)
        return ast.ImportFrom(self._replaced.get(module, module), node.names, 0)

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        """The condition; nothing of what only types need."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        node.test = self.visit(node.test)
        node.body, node.orelse = self._body(node.body), list(self._statements(node.orelse))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """The function without annotations and docstring."""
        args = node.args
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
            if arg is not None:
                arg.annotation = None
        args.args, args.posonlyargs, node.returns = args.posonlyargs + args.args, [], None
        node.args = self.visit(args)
        node.decorator_list = [self.visit(line) for line in node.decorator_list]
        node.body = self._body(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """The class with one base; a dataclass with its `__init__`."""
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        fields = list(_fields(node)) if "dataclass" in decorators else []
        node.decorator_list, node.bases, node.keywords = [], node.bases[:1], []
        others = [line for line in node.body if line not in [field for _, field in fields]]
        checks = any(getattr(other, "name", "") == "__post_init__" for other in others)
        node.body = [*(_written_out(fields, checks) if fields else []), *self._body(others)]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        """The assignment without its annotation."""
        if node.value is None:
            return None
        return self.visit_Assign(ast.Assign([node.target], node.value, lineno=node.lineno))

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """The assignment; of a name for a type, None."""
        names = {child.id for child in ast.walk(node.value) if isinstance(child, ast.Name)}
        of = node.value.value if isinstance(node.value, ast.Subscript) else None
        if names & self._types or (isinstance(of, ast.Name) and of.id in BUILT_IN):
            node.value = ast.Constant(None)
        return self._visited(node)  # type: ignore[no-any-return]

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A yield with its line before it; no docstring."""
        if isinstance(node.value, ast.Constant):
            return None
        marked = self._tracks and isinstance(node.value, ast.Yield)
        mark = [_call_statement("_at_line_", ast.Constant(node.lineno))] if marked else []
        return [*mark, self._visited(node)]

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        """The generator yielded from, with its line."""
        line, inner = node.lineno, self.visit(node.value)
        noted = _call("_from_line_", ast.Constant(line), inner) if self._tracks else inner
        return ast.YieldFrom(noted)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Calls that MicroPython does not have, in other words."""
        match node:
            case ast.Call(func=ast.Attribute(value=number, attr="bit_length")):
                return _call("_bits_", self.visit(number))
            case ast.Call(func=ast.Name("isinstance"), args=[value, ast.BinOp() as union]):
                kinds = ast.Tuple([self.visit(line) for line in _members(union)], ast.Load())
                return _call("isinstance", self.visit(value), kinds)
            case ast.Call(func=ast.Name("slice")):
                node.func = ast.Name("_sliced_", ast.Load())
            case ast.Call(func=ast.Name("zip")):
                node.keywords = []
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=of, attr="__dict__"))):
                node.func, node.args = ast.Name("_take_over_", ast.Load()), [of, *node.args]
        return self._visited(node)  # type: ignore[no-any-return]

    def visit_List(self, node: ast.List) -> ast.expr:
        """The list; with stars in it, lists added up."""
        return self._added(self._visited(node), "list")

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        """The tuple; with stars in it, tuples added up."""
        return self._added(self._visited(node), "tuple")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """The call of `format` with what stands between braces."""
        text, values = "", []
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value).replace("{", "{{").replace("}", "}}")
            elif isinstance(part, ast.FormattedValue):
                spec = getattr(part.format_spec, "values", [])
                form = "".join(str(part.value) for part in spec)
                sign = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
                text += f"{{{sign}{':' * bool(form)}{form}}}"
                values.append(self.visit(part.value))
        return ast.Call(ast.Attribute(ast.Constant(text), "format", ast.Load()), values, [])

    def _added(self, node: ast.List | ast.Tuple, name: str) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or not any(
            isinstance(elt, ast.Starred) for elt in node.elts
        ):
            return node
        parts: list[ast.expr] = [
            _call(name, elt.value)
            if isinstance(elt, ast.Starred)
            else type(node)([elt], ast.Load())
            for elt in node.elts
        ]
        whole = parts[0]
        for part in parts[1:]:
            whole = ast.BinOp(whole, ast.Add(), part)
        return whole

    def _body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        return list(self._statements(statements)) or [ast.Pass()]

    def _statements(self, statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        for statement in statements:
            seen = self.visit(statement)
            yield from seen if isinstance(seen, list) else [seen] if seen else []

    def _visited(self, node: Any) -> Any:
        return self.generic_visit(node)


def is_generator(statement: ast.stmt | None) -> bool:
    """Whether a statement defines a function that yields."""
    return isinstance(statement, ast.FunctionDef) and any(
        isinstance(child, ast.Yield | ast.YieldFrom) for child in ast.walk(statement)
    )


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, ast.AnnAssign]]:
    """The fields of a dataclass by their names."""
    for line in node.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            yield line.target.id, line


def _written_out(fields: Sequence[tuple[str, ast.AnnAssign]], checks: bool) -> Iterator[ast.stmt]:
    """The names of the fields of a dataclass, and its `__init__`."""
    taken = [f"{name} = {ast.unparse(of.value)}" if of.value else name for name, of in fields]
    lines = [f"self.{name} = {name}" for name, _ in fields]
    lines += ["self.__post_init__()"] if checks else []
    head = f"def __init__(self, {', '.join(taken)}):"
    names = "".join(f"{name!r}, " for name, _ in fields)
    yield from ast.parse("\n    ".join([head, *lines]) + f"\nfield_names = ({names})").body


def _members(union: ast.expr) -> Iterator[ast.expr]:
    """The types of a union, such as int | str."""
    if isinstance(union, ast.BinOp):
        yield from (*_members(union.left), *_members(union.right))
    else:
        yield union


def _call(name: str, *values: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(values), [])


def _call_statement(name: str, *values: ast.expr) -> ast.stmt:
    return ast.Expr(_call(name, *values))
