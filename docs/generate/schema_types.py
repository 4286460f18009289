"""JSON Schema from types: hints give the types; attribute docstrings and comments beside fields, the descriptions.

``Annotated[float, "words"]`` has its own description, ``Annotated[int, More(minimum=0)]`` more of the schema.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
import sys
import textwrap
import types
import typing
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Union

import numpy as np

Schema = dict[str, Any]
Keys = Mapping[type, Sequence[str]]

NAMES = ("a", "b", "algorithm")  # what they are does not depend on the class
PROBABILITY = re.compile(
    r"(?!.*_error$)((log_)?p(value)?|.*_pvalue|adjusted(_.*)?|p_.*|alpha|gamma|.*_level|level|power|wanted_power"
    r"|probability|joint|smallest|largest|band|share|shares|sign_flip|replicability|predictive_p|noise_share"
    r"|.*_probability)"
)
NOT_ONE = {"log_pvalue", "log_p"}
NUMBER: Schema = {"type": ["number", "null"]}  # null where it is infinite or not defined
NUMBERS: Schema = {
    "description": "Numbers, or lists of them: a list for each dimension. A number is null where it is infinite or not "
    "defined.",
    "type": "array",
    "items": {"anyOf": [{"type": ["number", "null", "boolean"]}, {"$ref": "#/$defs/numbers"}]},
}


def closed(properties: Mapping[str, Schema], optional: Collection[str] = (), description: str = "") -> Schema:
    """An object with these keys and no others."""
    return {
        **({"description": description} if description else {}),
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }


def or_null(schema: Schema) -> Schema:
    """``schema``, or null."""
    kind = schema.get("type")
    if isinstance(kind, list) and "null" in kind:
        return schema
    if kind is not None and "enum" not in schema and "const" not in schema:
        return {**schema, "type": [*([kind] if isinstance(kind, str) else kind), "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def with_words(schema: Schema, description: str) -> Schema:
    """``schema`` with a description; a reference keeps its own beside it."""
    return {"description": description, **{key: value for key, value in schema.items() if key != "description"}}


class More:
    """More of a schema than a type says; compared by identity, as members of unions are hashed."""

    def __init__(self, **schema: Any) -> None:
        self.schema = schema


@dataclasses.dataclass
class Walker:
    """Collects the definitions that the types of one kind of result need.

    Attributes
    ----------
    common : dict of str to str
        What keys are called the same everywhere mean, for classes that do not say it.
    keys : dict of type to sequence of str
        Which attributes of a class are written; of others, all fields are.
    own : dict of type to dict of str to type
        Keys whose type in JSON is not that of the attribute.
    optional : dict of type to sequence of str
        Which may be missing.
    """

    common: Mapping[str, str]
    keys: Keys = dataclasses.field(default_factory=dict)
    own: Mapping[type, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    optional: Keys = dataclasses.field(default_factory=dict)
    definitions: dict[str, Schema] = dataclasses.field(default_factory=dict)
    undescribed: list[str] = dataclasses.field(default_factory=list)

    def of_class(self, record: type) -> Schema:
        """A reference to the definition of a record."""
        name = record.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # a record may hold its like
            chosen = self.keys.get(record) or [field.name for field in dataclasses.fields(record)]
            found = {key: self.attribute(record, key) for key in chosen}
            self.definitions[name] = closed(found, self.optional.get(record, ()), summary(record))
        return {"$ref": f"#/$defs/{name}"}

    def attribute(self, record: type, key: str, own: Any = None) -> Schema:
        """Of a field or property, with its description; ``own`` is its type in JSON where that differs."""
        own = own or self.own.get(record, {}).get(key)
        found = self.of_hint(own or hint_of(record, key), key)
        if "description" in found and (own or key not in described(record)):
            return found
        text = self.common[key] if key in NAMES else description(record, key) or self.common.get(key, "")
        if not text:
            self.undescribed.append(f"{record.__name__}.{key}")
        return with_words(found, text)

    def of_hint(self, hint: Any, key: str) -> Schema:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return self.of_annotated(*arguments, key=key)
        if hint in PLAIN:
            return plain(hint, key)
        if origin in (Union, types.UnionType):
            return self.of_union(arguments, key)
        if origin is Literal:
            return {"enum": list(arguments)}
        if is_shape(hint):
            return self.of_shape(hint)
        if origin is tuple:
            return self.of_tuple(arguments, key)
        if inspect.isclass(origin) and issubclass(origin, Mapping):
            values = {} if arguments[1] is Any else {"additionalProperties": self.of_hint(arguments[1], key)}
            return {"type": "object"} | values
        if origin is np.ndarray or hint is np.ndarray:
            self.definitions["numbers"] = NUMBERS
            return {"$ref": "#/$defs/numbers"}
        if inspect.isclass(origin) and issubclass(origin, Sequence):
            return {"type": "array"} | ({} if arguments[0] is Any else {"items": self.of_hint(arguments[0], key)})
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return self.of_class(hint)
        raise TypeError(f"{key}: no schema of {hint!r}; say it in schema_kinds.py")

    def of_annotated(self, hint: Any, *extra: Any, key: str) -> Schema:
        """More of the schema, or all of it where the type is Any; a text is the description."""
        schema = {} if hint is Any else self.of_hint(hint, key)
        for more in extra:
            schema = with_words(schema, more) if isinstance(more, str) else schema | more.schema
        return schema

    def of_shape(self, shape: Any) -> Schema:
        """A dictionary or tuple with names: an object, written out where it stands unless it has a docstring."""
        keys = getattr(shape, "_fields", None) or tuple(shape.__annotations__)
        optional = getattr(shape, "__optional_keys__", ())
        found = closed({key: self.attribute(shape, key) for key in keys}, optional, summary(shape))
        if hasattr(shape, "_fields") or not shape.__doc__:
            return found
        self.definitions[shape.__name__] = found
        return {"$ref": f"#/$defs/{shape.__name__}"}

    def of_union(self, members: Sequence[Any], key: str) -> Schema:
        others = [self.of_hint(member, key) for member in members if member is not type(None)]
        found = others[0] if len(others) == 1 else {"anyOf": others}
        return or_null(found) if type(None) in members else found

    def of_tuple(self, arguments: Sequence[Any], key: str) -> Schema:
        if arguments[-1] is Ellipsis:
            return {"type": "array", "items": self.of_hint(arguments[0], key)}
        each = [self.of_hint(argument, key) for argument in arguments]
        if all(schema == each[0] for schema in each):
            return {"type": "array", "items": each[0], "minItems": len(each), "maxItems": len(each)}
        return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}


PLAIN: Mapping[Any, str] = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null"}
PLAIN |= {float: "number", int: "integer"}  # type: ignore[operator]


def plain(hint: type, key: str) -> Schema:
    """Of a number or word; a share of 1 by its name."""
    if hint is float and not (PROBABILITY.fullmatch(key) and key not in NOT_ONE):
        return dict(NUMBER)
    if hint is float:
        return {"type": "number", "minimum": 0, "maximum": 1}
    is_count = hint is int and re.match(r"n_|wins$|losses$|ties$", key)
    return {"type": PLAIN[hint]} | ({"minimum": 0} if is_count else {})


def is_shape(hint: Any) -> bool:
    return typing.is_typeddict(hint) or (inspect.isclass(hint) and issubclass(hint, tuple) and hasattr(hint, "_fields"))


def has(record: type, key: str) -> bool:
    """Whether it is a field or property."""
    return isinstance(getattr(record, key, None), property) or any(
        key in vars(base).get("__annotations__", {}) for base in record.__mro__
    )


def hint_of(record: type, key: str) -> Any:
    """The resolved hint of a field, or of what a property returns."""
    found = getattr(record, key, None)
    if isinstance(found, property):
        return resolved(found.fget.__annotations__["return"], found.fget.__module__)
    for base in record.__mro__:
        if key in vars(base).get("__annotations__", {}):
            return resolved(vars(base)["__annotations__"][key], base.__module__)
    raise KeyError(f"{record.__name__} has no {key!r}: say its schema in schema_kinds.py")


def annotation(function: Any) -> Any:
    """What it returns."""
    return resolved(function.__annotations__["return"], function.__module__)


def hints(record: type) -> dict[str, Any]:
    """Of all fields."""
    return {field.name: hint_of(record, field.name) for field in dataclasses.fields(record)}


def resolved(hint: Any, module: str) -> Any:
    """One hint by itself: others of its class may name what is imported for type checking only."""
    one = hint.__forward_arg__ if isinstance(hint, typing.ForwardRef) else hint  # of a tuple or dictionary with names
    if isinstance(one, str):
        holder = type("One", (), {"__annotations__": {"it": one}})
        one = typing.get_type_hints(holder, vars(sys.modules[module]), include_extras=True)["it"]
    return typing.get_args(one)[0] if typing.get_origin(one) in (typing.NotRequired, typing.Required) else one


def summary(record: type) -> str:
    """The first paragraph of its docstring."""
    return words(inspect.cleandoc(record.__doc__ or "").split("\n\n")[0])


@cache
def described(record: type) -> dict[str, str]:
    """What is said of each field: by a docstring or a comment beside it, else in the Attributes section."""
    found: dict[str, str] = {}
    for base in reversed(record.__mro__):
        found |= entries(inspect.cleandoc(base.__doc__ or ""))
        try:
            source = inspect.getsource(base)
        except (OSError, TypeError):  # made at run time, or built in
            continue
        for name, comment in re.findall(r"^    (\w+): [^#\n]*#\s*(.+)$", source, flags=re.M):
            if text := words(re.sub(r"^\([\w, ]*\)\s*", "", comment)):  # without the shape of an array
                found[name] = text
        body = ast.parse(textwrap.dedent(source)).body[0].body  # type: ignore[attr-defined]
        for field, after in itertools.pairwise(body):
            if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
                found[field.target.id] = words(after.value.value)  # type: ignore[attr-defined, union-attr]
    return found


def entries(doc: str) -> dict[str, str]:
    """Of the sections that describe attributes or parameters; "a, b : …" with a clause for each is taken apart."""
    found: dict[str, str] = {}
    for section in re.findall(r"^(?:Attributes|Parameters)\n-+\n(.*?)(?=^\w+\n-+$|\Z)", doc, flags=re.M | re.S):
        for line, body in re.findall(r"^(\S[^\n]*?) : [^\n]*\n((?:[ ]+[^\n]*\n?|\n)+)", f"{section}\n", flags=re.M):
            names, text = [name.strip() for name in line.split(",")], words(body)
            clauses = [words(clause) for clause in text.removesuffix(".").split("; ")]
            found |= dict(zip(names, clauses if len(clauses) == len(names) else [text] * len(names), strict=True))
    return found


def description(record: type, key: str) -> str:
    """Of a field; of a property, what its docstring says first."""
    known = described(record).get(key)
    found = getattr(record, key, None)
    if known is None and isinstance(found, property):
        return summary(found.fget)  # type: ignore[arg-type]
    return known or ""


def words(paragraph: str) -> str:
    """One line, as a sentence of JSON's words, without the markup of docstrings."""
    line = re.sub(r":\w+:`~?([^`]*)`", r"\1", " ".join(paragraph.split())).replace("``", "").replace("**", "")
    line = re.sub(r"\bNone\b", "null", line)
    if not line:
        return ""
    capital = line[0].upper() + line[1:] if re.match(r"([a-z]+|[a-z]{2,}-[a-z]+)([ ,.;]|: |$)", line) else line
    return capital if capital[-1] in ".!?…" else f"{capital}."
