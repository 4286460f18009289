"""``dataclass`` of the standard library, which writes a method when somebody first asks for it.

The standard decorator compiles six functions for every class of every module that is loaded. A short command makes
objects of half of these classes and compares, hashes or prints next to none. Here a class with slots has its fields
and slots at once, and each method is the one that the standard library writes, as soon as it is looked up. Everything
else (``fields``, ``replace``, copies, pickles, classes derived by either decorator) is the same.
"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import KW_ONLY as KW_ONLY, asdict as asdict, field as field, fields as fields, replace as replace
from typing import TYPE_CHECKING, Any, cast

_ASKED = {"__init__": "init", "__repr__": "repr", "__eq__": "eq", "__hash__": "eq"}
"""The methods that wait, and the option that asks for each."""


class _Waiting:
    """In place of a method, until it is looked up, in a class or in an object."""

    def __init__(self, cls: type, name: str, model: dict[str, Any], options: dict[str, bool]) -> None:
        self.cls, self.name, self.model, self.options = cls, name, model, options

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """The method, written into the class."""
        method = _init_of(self.cls, self.options["frozen"]) if self.name == "__init__" else self._by_the_library()
        setattr(self.cls, self.name, method)
        return method if instance is None else method.__get__(instance, owner)

    def _by_the_library(self) -> Any:
        """By way of a second class with the same body."""
        method_only = {option: option == _ASKED[self.name] for option in ("init", "repr", "eq")}
        second = type(self.cls)(self.cls.__name__, self.cls.__bases__, self.model)
        return vars(dataclasses.dataclass(**(self.options | method_only))(second))[self.name]


class _Unset:
    def __repr__(self) -> str:
        return "<factory>"


def _init_of(cls: Any, frozen: bool) -> Any:
    """``__init__`` as the standard library writes it, without all that it does beside that for a second class."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_unset": _Unset()}
    before, after, body = list[str](), list[str](), list[str]()
    for each in fields(cls):
        name, default, value = each.name, f"_default_{each.name}", each.name
        factory = each.default_factory is not dataclasses.MISSING
        has_default = factory or each.default is not dataclasses.MISSING
        if has_default:
            known[default] = each.default_factory if factory else each.default
        if each.init:
            usual = f" = {'_unset' if factory else default}" if has_default else ""
            (after if each.kw_only else before).append(f"{name}{usual}")
            value = f"{default}() if {name} is _unset else {name}" if factory else name
        elif has_default:
            value = f"{default}()" if factory else default
        else:
            continue
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    body += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    listed = ", ".join(["self", *before, *(["*", *after] if after else [])])
    lines = "\n  ".join(body or ["pass"])
    text = f"def write({', '.join(known)}):\n def __init__({listed}):\n  {lines}\n return __init__"
    exec(text, vars(sys.modules[cls.__module__]), made := dict[str, Any]())
    method = made["write"](**known)
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    method.__annotations__ = {each.name: each.type for each in fields(cls) if each.init} | {"return": None}
    return method


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_frozen(self: Any, name: str) -> bool:
    """Every attribute of the class itself; of an ordinary class that is derived from it, the fields."""
    return "__dataclass_params__" in vars(type(self)) or name in {each.name for each in fields(self)}


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


_FROZEN = {
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _set_state,
}
"""What a frozen class has; the standard library compiles the first two for each class."""


def _with_waiting_methods(
    cls: type, *, init: bool = True, repr: bool = True, eq: bool = True, frozen: bool = False, **options: bool
) -> type:
    methods = {"init": init, "repr": repr, "eq": eq}
    cls.__doc__ = cls.__doc__ or cls.__name__  # else the standard library writes the signature of each
    model = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    model["__qualname__"] = cls.__qualname__
    # what freezes a class is put into it below, where nothing is compiled; here its bases look as open as it does
    bases = [vars(base)["__dataclass_params__"] for base in cls.__mro__[1:] if "__dataclass_params__" in vars(base)]
    as_they_are = not all(params.frozen for params in bases) or not frozen
    for params in () if as_they_are else bases:
        params.frozen = False
    try:
        made: Any = dataclasses.dataclass(
            init=False, repr=False, eq=False, frozen=frozen and as_they_are, slots=True, **options
        )(cls)
    finally:
        for params in () if as_they_are else bases:
            params.frozen = True
    waiting = [name for name, option in _ASKED.items() if methods[option] and model.get(name) is None]
    if not frozen and "__hash__" in waiting:
        waiting.remove("__hash__")
        made.__hash__ = None
    for name in waiting:
        setattr(made, name, _Waiting(made, name, model, options | {"frozen": frozen}))
    for name, method in _FROZEN.items() if frozen else ():
        if name not in model:
            setattr(made, name, method)
    for name, value in (methods | {"frozen": frozen}).items():
        setattr(made.__dataclass_params__, name, value)
    return cast(type, made)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, slots: bool = False, order: bool = False, **options: bool) -> Any:
        """As ``dataclasses.dataclass``; without slots, or with an order, it is that one."""
        if order or not slots:
            return dataclasses.dataclass(slots=slots, order=order, **options)
        return lambda cls: _with_waiting_methods(cls, **options)
