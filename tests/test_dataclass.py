"""`shapewright.dataclass` answers as the standard library's decorator does."""

import dataclasses
import pickle
from functools import cached_property
from typing import Any

import pytest

from shapewright.dataclass import compiled, dataclass, is_frozen


class Plain:
    """What is declared with both decorators."""

    name: str
    sizes: tuple[int, ...]
    found: list[int]
    quiet: int
    own: int


class Deeper:
    """More fields after those of another class."""

    depth: int


def annotated(kind: type) -> dict[str, Any]:
    return {"__annotations__": dict(kind.__annotations__), "__doc__": kind.__doc__}


@pytest.fixture(params=[(False, False), (True, False), (True, True), (False, True)], ids=str)
def pairs(request):
    def declared(decorator):
        own = {
            "sizes": (),
            "found": dataclasses.field(default_factory=list),
            "quiet": dataclasses.field(default=3, repr=False, compare=False),
            "own": dataclasses.field(default=7, init=False),
        }
        options = {"frozen": request.param[0], "slots": request.param[1]}
        first = decorator(**options)(type("Plain", (), own | annotated(Plain)))
        return first, decorator(**options)(type("Deeper", (first,), {"depth": 0} | annotated(Deeper)))

    return request.param[0], declared(dataclass), declared(dataclasses.dataclass)


def test_objects_are_made_shown_and_compared_alike(pairs):
    _frozen, ours, theirs = pairs
    for own, standard, more in ((ours[0], theirs[0], {}), (ours[1], theirs[1], {"depth": 2})):
        for args, options in ((("a",), {}), (("a", (1,)), {"found": [2]}), (("b",), {"quiet": 5})):
            one, other = own(*args, **options, **more), standard(*args, **options, **more)
            assert repr(one) == repr(other)
            assert dataclasses.asdict(one) == dataclasses.asdict(other)
            assert (one == own("a", **more)) == (other == standard("a", **more))
            assert repr(dataclasses.replace(one, name="c")) == repr(dataclasses.replace(other, name="c"))
            assert [f.name for f in dataclasses.fields(one)] == [f.name for f in dataclasses.fields(other)]
        assert own.__match_args__ == standard.__match_args__
        assert own("a") != standard("a")
    assert ours[0]("a") != ours[1]("a")


def test_what_is_wrong_is_refused_alike(pairs):
    _frozen, ours, theirs = pairs
    for args, options in (((), {}), (("a", (), [], 3, 7), {}), (("a",), {"own": 1}), (("a",), {"name": "b"})):
        said = []
        for kind in (ours[0], theirs[0]):
            with pytest.raises(TypeError) as caught:
                kind(*args, **options)
            said.append(str(caught.value))
        assert said[0].partition("()")[2] == said[1].partition("()")[2]


def test_frozen_objects_are_keys_and_stay_as_they_are(pairs):
    frozen, ours, theirs = pairs
    assert is_frozen(ours[0]) == frozen
    assert (ours[0].__hash__ is None) == (theirs[0].__hash__ is None) == (not frozen)
    one = ours[0]("a", found=())
    if frozen:
        assert hash(one) == hash(theirs[0]("a", found=()))
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.name = "b"
        with pytest.raises(dataclasses.FrozenInstanceError):
            del one.name
    else:
        one.name = "b"
        assert one.name == "b"


@dataclass(frozen=True, slots=True)
class Sent:
    """Crosses a pipe."""

    a: int
    b: int = 2


@dataclass(frozen=True)
class Kept:
    """Has a value that is computed once and methods of its own."""

    a: int

    def __repr__(self) -> str:
        return "kept"

    @cached_property
    def double(self) -> int:
        """Twice `a`."""
        return 2 * self.a


def test_pickles_cached_values_and_own_methods():
    for kind in (Sent, Kept):
        assert pickle.loads(pickle.dumps(kind(5))) == kind(5)
    one = Kept(3)
    assert (one.double, one, repr(one)) == (6, Kept(3), "kept")


def test_an_initializer_is_compiled_once_and_before_it_is_needed_where_asked():
    @dataclass
    class Late:
        """Not made yet."""

        a: int

        def __post_init__(self):
            self.a += 1

    before = Late.__init__
    compiled(Late)
    assert Late.__init__ is not before
    compiled(Late)
    assert Late(1).a == 2
