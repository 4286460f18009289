"""Classes by ``bakeoff.dataclass`` are those of the standard library, but that their methods wait."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable, Hashable
from dataclasses import KW_ONLY, field
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from bakeoff.dataclass import dataclass

METHODS = ("__init__", "__repr__", "__eq__", "__hash__")


def classes(dataclass: Callable[..., Any]) -> SimpleNamespace:
    """The same classes by one decorator or the other."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Result:
        """With all that a field may say."""

        unit: ClassVar[str] = "s"
        n: int
        name: str = "x"
        values: list[int] = field(default_factory=list, hash=False)
        hidden: int = field(default=3, repr=False, compare=False)
        later: float = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "later", self.n / 2)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Derived(Result):
        more: tuple[int, ...] = ()

    @dataclass(frozen=True, slots=True)
    class ByPlace:
        first: int
        _: KW_ONLY
        second: int = 2

    @dataclass(slots=True)
    class Open:
        x: int

    @dataclass(frozen=True, slots=True, eq=False, repr=False)
    class Bare:
        x: int

    @dataclass(frozen=True, slots=True)
    class Own:
        x: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    @dataclass(frozen=True, slots=True, kw_only=True, order=True)
    class Ordered:
        x: int

    @dataclass(frozen=True)
    class Roomy:
        x: int

    return SimpleNamespace(**locals())


OURS, THEIRS = classes(dataclass), classes(dataclasses.dataclass)
NAMES = [name for name in vars(OURS) if name != "dataclass"]
ARGUMENTS: dict[str, dict[str, Any]] = {"Result": {"n": 1, "values": [1]}, "ByPlace": {"first": 1}}
ARGUMENTS["Derived"] = {"n": 4, "name": "y", "more": (1,)}


def fresh(name: str, ours: bool) -> Any:
    return getattr(classes(dataclass if ours else dataclasses.dataclass), name)


def arguments(name: str) -> dict[str, Any]:
    return ARGUMENTS.get(name, {"x": 5})


@pytest.mark.parametrize("name", NAMES)
def test_what_a_class_says_of_itself(name: str) -> None:
    def said(cls: Any) -> list[Any]:
        fields = [
            (f.name, f.type, f.default, f.init, f.repr, f.compare, f.hash, f.kw_only) for f in dataclasses.fields(cls)
        ]
        params = [getattr(cls.__dataclass_params__, option) for option in ("init", "repr", "eq", "order", "frozen")]
        slots, alone = getattr(cls, "__slots__", None), cls.__hash__ is None
        return [
            fields,
            params,
            slots,
            alone,
            cls.__match_args__,
            cls.__qualname__,
            cls.__module__,
            str(inspect.signature(cls)),
        ]

    assert said(fresh(name, True)) == said(fresh(name, False))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", METHODS)
def test_a_method_that_has_been_written_is_that_of_the_standard_library(name: str, method: str) -> None:
    ours, theirs = fresh(name, True), fresh(name, False)
    assert getattr(ours, method) is not None or getattr(theirs, method) is None
    mine, other = (vars(cls).get(method) for cls in (ours, theirs))
    assert (mine is None) == (other is None)
    for attribute in ("__name__", "__qualname__", "__annotations__", "__kwdefaults__"):
        if method != "__init__" or attribute != "__kwdefaults__":
            assert getattr(mine, attribute, None) == getattr(other, attribute, None)


@pytest.mark.parametrize("name", NAMES)
def test_objects_behave_alike(name: str) -> None:
    def done(cls: Any) -> list[Any]:
        one, two = cls(**arguments(name)), cls(**arguments(name))
        hashed = hash(one) == hash(two) if isinstance(one, Hashable) else "none"
        other = dataclasses.replace(one, **{next(iter(arguments(name))): 9})
        return [repr(one), one == two, one == other, one != other, hashed, repr(other), dataclasses.asdict(one)]

    told, expected = done(fresh(name, True)), done(fresh(name, False))
    if name != "Bare":  # its repr is an address
        assert told == expected
    assert told[1:5] == expected[1:5]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "Open"])
def test_a_frozen_object_refuses(name: str) -> None:
    made = fresh(name, True)(**arguments(name))
    first = next(iter(arguments(name)))
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to field '{first}'"):
        setattr(made, first, 1)
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot delete field '{first}'"):
        delattr(made, first)
    with pytest.raises((AttributeError, TypeError)):  # the standard one stumbles over its own slots (Ordered)
        made.other = 1


def test_an_ordinary_class_derived_from_a_frozen_one_has_attributes_of_its_own() -> None:
    class Derived(OURS.ByPlace):  # type: ignore[misc]
        pass

    made = Derived(1)
    made.note = "seen"
    assert made.note == "seen"
    del made.note
    for change in (lambda: setattr(made, "first", 2), lambda: delattr(made, "first")):
        with pytest.raises(dataclasses.FrozenInstanceError, match="field 'first'"):
            change()


def test_a_decorator_serves_several_classes() -> None:
    decorate = dataclass(frozen=True, slots=True, eq=False)
    first, second = (decorate(type(name, (), {"__annotations__": {"x": "int"}, "__doc__": "x."})) for name in "ab")
    assert [kind(1) == kind(1) for kind in (first, second)] == [False, False]
    with pytest.raises(dataclasses.FrozenInstanceError):
        second(1).x = 2


def test_an_open_object_may_be_changed_and_not_hashed() -> None:
    made = OURS.Open(1)
    made.x = 2
    assert made == OURS.Open(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(made)


@pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass])
@pytest.mark.parametrize("base", [OURS.ByPlace, THEIRS.ByPlace])
def test_either_decorator_derives_from_the_other(decorator: Callable[..., Any], base: Any) -> None:
    @decorator(frozen=True, slots=True)
    class Third(base):  # type: ignore[misc]
        third: int = field(default=3, kw_only=True)

    assert repr(Third(1, third=4)).endswith("Third(first=1, second=2, third=4)")
    assert Third(1) == Third(1) != Third(2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Third(1).third = 1
    with pytest.raises(TypeError, match="non-frozen"):
        decorator(slots=True)(type("Fourth", (base,), {"__annotations__": {}, "__doc__": "Open."}))
    with pytest.raises(TypeError, match="non-frozen"):
        decorator(frozen=True, slots=True)(type("Fifth", (OURS.Open,), {"__annotations__": {}, "__doc__": "Closed."}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """At the top of a module, where a pickle finds it."""

    x: int
    y: list[int] = field(default_factory=list)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_copies_and_pickles(protocol: int) -> None:
    kept = Kept(x=1, y=[2])
    again = pickle.loads(pickle.dumps(kept, protocol))
    assert again == kept == copy.copy(kept) == copy.deepcopy(kept)
    assert copy.deepcopy(kept).y is not kept.y
    with pytest.raises(dataclasses.FrozenInstanceError):
        again.x = 2


def test_methods_wait_until_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    create = dataclasses.dataclass

    def noted(*args: Any, **options: Any) -> Any:
        written.extend(option for option in ("init", "repr", "eq") if options.get(option))
        return create(*args, **options)

    monkeypatch.setattr(dataclasses, "dataclass", noted)

    @dataclass(frozen=True, slots=True)
    class Small:
        x: int

    assert not written
    assert "Waiting" in type(vars(Small)["__init__"]).__name__
    one = Small(1)
    assert inspect.isfunction(vars(Small)["__init__"])
    assert one == Small(1)
    assert {one: 1}[Small(1)] == 1
    assert written == ["eq", "eq"]
    assert repr(one).endswith("Small(x=1)")
    assert written == ["eq", "eq", "repr"]
