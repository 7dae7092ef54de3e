"""What stands for einops does what a pattern says, as einops does it."""

import importlib.util
from pathlib import Path

import pytest
import torch

import shapewright.run.stand_ins as room

einops = pytest.importorskip("einops")
X = torch.arange(2 * 3 * 8 * 6.0).reshape(2, 3, 8, 6)
SAME = [
    ("rearrange", "b c h w -> b (h w) c", {}),
    ("rearrange", "b c (h p) (w q) -> (b h w) (p q c)", {"p": 2, "q": 3}),
    ("rearrange", "b ... -> b (...)", {}),
    ("rearrange", "... h w -> ... w h", {}),
    ("rearrange", "b c h w -> () b c 1 (h w)", {}),
    ("repeat", "b c h w -> b c (h 2) (w 2) k", {"k": 4}),
    ("repeat", "b c h w -> (r b) c h w", {"r": 2}),
]
REFUSED = [
    ("b c h -> b c h", {}),
    ("b c (h p) w -> b c h p w", {"p": 3}),
    ("b c h w -> b c h", {}),
    ("b c h w -> b c h w z", {}),
]


@pytest.fixture(scope="module")
def ours():
    file = Path(room.__file__).parent / "absent" / "einops" / "__init__.py"
    spec = importlib.util.spec_from_file_location("patterns", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name, pattern, sizes", SAME)
def test_a_pattern_means_the_same(name, pattern, sizes, ours):
    for given in (X, X.numpy()):
        expected = getattr(einops, name)(given, pattern, **sizes)
        made = getattr(ours, name)(given, pattern, **sizes)
        assert type(made) is type(expected) and made.shape == expected.shape and (made == expected).all()


@pytest.mark.parametrize("pattern, how", [("b c h w -> b c", "sum"), ("b (c 3) h w -> b c () w", "max")])
def test_what_the_right_side_lacks_is_reduced(pattern, how, ours):
    assert torch.equal(
        ours.reduce(X, pattern, how),
        einops.reduce(X, pattern.replace("3", "k"), how, **{"k": 3} if "3" in pattern else {}),
    )


@pytest.mark.parametrize("pattern, sizes", REFUSED)
def test_a_pattern_that_does_not_fit_is_refused(pattern, sizes, ours):
    for library in (ours, einops):
        with pytest.raises(library.EinopsError):
            library.rearrange(X, pattern, **sizes)


def test_products_have_named_axes(ours):
    pattern = "... rows one, ... columns one -> ... rows columns"
    assert torch.equal(ours.einsum(X, X, pattern), einops.einsum(X, X, pattern))
