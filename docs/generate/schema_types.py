"""JSON Schema from the result types: hints give the types, the docstrings' Attributes sections the descriptions."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Union

import numpy as np

Schema = dict[str, Any]

NAMES = ("a", "b", "algorithm")  # their docstrings share an entry with others
INFINITE = "null where it is infinite or not defined"
PROBABILITY = re.compile(
    r"(log_)?p(value)?|.*_pvalue|adjusted(_.*)?|p_.*|alpha|gamma|.*_level|level|power|wanted_power|probability|joint"
    r"|smallest|largest|band|share|shares|sign_flip|replicability|predictive_p|noise_share|.*_probability"
)
NOT_ONE = {"log_pvalue", "log_p", "power_mean", "p_better_tradeoff_error"}


def number() -> Schema:
    return {"type": ["number", "null"]}


def probability() -> Schema:
    return {"type": "number", "minimum": 0, "maximum": 1}


def whole() -> Schema:
    return {"type": "integer"}


def text() -> Schema:
    return {"type": "string"}


def yes_or_no() -> Schema:
    return {"type": "boolean"}


def list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def by_name(values: Schema, key: str = "") -> Schema:
    """An object with a value for each name."""
    named = {"propertyNames": {"pattern": key}} if key else {}
    return {"type": "object", **named, "additionalProperties": values}


def or_null(schema: Schema) -> Schema:
    """``schema``, or null."""
    kind = schema.get("type")
    if isinstance(kind, list) and "null" in kind:
        return schema
    if kind is not None and "enum" not in schema and "const" not in schema:
        return {**schema, "type": [*([kind] if isinstance(kind, str) else kind), "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def pair_of(items: Schema) -> Schema:
    """Two values, low and high."""
    return {"type": "array", "items": items, "minItems": 2, "maxItems": 2}


def one_of(words: Iterable[Any]) -> Schema:
    return {"enum": list(words)}


def closed(properties: Mapping[str, Schema], optional: Iterable[str] = (), description: str = "") -> Schema:
    """An object with these keys and no others."""
    missing = set(optional)
    required = [key for key in properties if key not in missing]
    told = {"description": description} if description else {}
    return {
        **told,
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def said(schema: Schema, description: str) -> Schema:
    """``schema`` with a description; a reference keeps its own beside it."""
    return {"description": description, **{key: value for key, value in schema.items() if key != "description"}}


class Walker:
    """Collects the definitions that the types of one kind of result need."""

    def __init__(self, words: Mapping[str, Mapping[str, str]]) -> None:
        self.definitions: dict[str, Schema] = {}
        self.words = words  # descriptions of keys that no docstring describes, by class
        self.undescribed: list[str] = []

    def of_class(self, record: type, keys: Sequence[str] = (), optional: Iterable[str] = (), **own: Schema) -> Schema:
        """A reference to the definition of a record; ``own`` are keys whose schema is not that of the hint."""
        name = record.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # a record may hold its like
            chosen = keys or [field.name for field in dataclasses.fields(record)]
            found = {key: self.attribute(record, key, own.get(key)) for key in chosen}
            self.definitions[name] = closed(found, optional, summary(record))
        return {"$ref": f"#/$defs/{name}"}

    def attribute(self, record: type, key: str, schema: Schema | None = None) -> Schema:
        """Of a field or property, with its description."""
        found = schema or self.of_hint(hint_of(record, key), key)
        own = self.words.get(record.__name__, {}).get(key) or (self.words[""].get(key) if key in NAMES else None)
        words = own or description(record, key) or self.words[""].get(key, "")
        if not words:
            self.undescribed.append(f"{record.__name__}.{key}")
            return found
        return said(found, words) if "description" not in found else found

    def of_hint(self, hint: Any, key: str) -> Schema:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return self.of_hint(arguments[0], key)
        if hint is type(None):
            return {"type": "null"}
        if origin in (Union, types.UnionType):
            return self.of_union(arguments, key)
        if origin is Literal:
            return one_of(arguments)
        if hint in (float, int, str, bool):
            return plain(hint, key)
        if inspect.isclass(hint) and origin is None and issubclass(hint, tuple) and hasattr(hint, "_fields"):
            return closed({name: self.attribute(hint, name) for name in hint._fields}, (), summary(hint))
        if origin is tuple:
            return self.of_tuple(arguments, key)
        if inspect.isclass(origin) and issubclass(origin, Mapping):
            return by_name(self.of_hint(arguments[1], key))
        if origin is np.ndarray or hint is np.ndarray:
            return {"$ref": self.numbers()}
        if inspect.isclass(origin) and issubclass(origin, Sequence):
            return list_of(self.of_hint(arguments[0], key))
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return self.of_class(hint)
        raise TypeError(f"{key}: no schema of {hint!r}; say it in schema_kinds.py")

    def of_union(self, members: Sequence[Any], key: str) -> Schema:
        others = [self.of_hint(member, key) for member in members if member is not type(None)]
        found = others[0] if len(others) == 1 else {"anyOf": others}
        return or_null(found) if type(None) in members else found

    def of_tuple(self, arguments: Sequence[Any], key: str) -> Schema:
        if arguments[-1] is Ellipsis:
            return list_of(self.of_hint(arguments[0], key))
        each = [self.of_hint(argument, key) for argument in arguments]
        if all(schema == each[0] for schema in each):
            return {"type": "array", "items": each[0], "minItems": len(each), "maxItems": len(each)}
        return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}

    def numbers(self) -> str:
        """An array of any number of dimensions."""
        ref = "#/$defs/numbers"
        self.definitions["numbers"] = {
            "description": f"Numbers, or lists of them: a list for each dimension. A number is {INFINITE}.",
            "type": "array",
            "items": {"anyOf": [{"type": ["number", "null", "boolean"]}, {"$ref": ref}]},
        }
        return ref


def plain(hint: type, key: str) -> Schema:
    """Of a number or word; a share of 1 by its name."""
    if hint is float:
        return probability() if PROBABILITY.fullmatch(key) and key not in NOT_ONE else number()
    if hint is int:
        return {"type": "integer", "minimum": 0} if re.match(r"n_|wins$|losses$|ties$", key) else whole()
    return yes_or_no() if hint is bool else text()


def hint_of(record: type, key: str) -> Any:
    """The resolved hint of a field, or of what a property returns."""
    found = getattr(record, key, None)
    if isinstance(found, property):
        return resolved(found.fget.__annotations__["return"], found.fget.__module__)  # type: ignore[union-attr]
    for base in record.__mro__:
        if key in vars(base).get("__annotations__", {}):
            return resolved(vars(base)["__annotations__"][key], base.__module__)
    raise KeyError(f"{record.__name__} has no {key!r}: say its schema in schema_kinds.py")


def resolved(hint: Any, module: str) -> Any:
    """One hint by itself: others of its class may name what is imported for type checking only."""
    hint = hint.__forward_arg__ if isinstance(hint, typing.ForwardRef) else hint  # of a named tuple
    if not isinstance(hint, str):
        return hint
    return typing.get_type_hints(type("One", (), {"__annotations__": {"it": hint}}), vars(sys.modules[module]))["it"]


def summary(record: type) -> str:
    """The first paragraph of its docstring."""
    return words(inspect.cleandoc(record.__doc__ or "").split("\n\n")[0])


@cache
def described(record: type) -> dict[str, str]:
    """What the Attributes section says, by name; else the comment beside the field."""
    found: dict[str, str] = {}
    for base in reversed(record.__mro__[:-1]):
        found |= entries(inspect.cleandoc(base.__doc__ or ""))
        try:
            source = inspect.getsource(base)
        except (OSError, TypeError):  # made at run time, or built in
            continue
        for name, comment in re.findall(r"^    (\w+): [^#\n]*#\s*(.+)$", source, flags=re.M):
            if text := words(re.sub(r"^\([\w, ]*\)\s*", "", comment)):  # without the shape of an array
                found.setdefault(name, text)
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
    capital = line[0].upper() + line[1:] if re.match(r"[a-z]+[ :,.]", line) else line
    return capital if capital[-1] in ".!?" else f"{capital}."
