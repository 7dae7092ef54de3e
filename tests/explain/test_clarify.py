"""`clarify` adds a note and changes nothing else about an error."""

import pytest
import torch

import shapewright


def faulty():
    return torch.zeros(4, 1024) @ torch.zeros(4096, 10)


def notes(error) -> str:
    return "\n".join(getattr(error, "__notes__", []))


def test_a_block_adds_the_explanation_and_keeps_the_error():
    with pytest.raises(RuntimeError, match="mat1 and mat2") as caught, shapewright.clarify(lang="es"):
        faulty()
    assert "Linear(1024, 10)" in notes(caught.value) and "espera" in notes(caught.value)


@pytest.mark.parametrize("decorate", [shapewright.clarify, shapewright.clarify(lang="en")])
def test_a_function_with_and_without_arguments_of_the_decorator(decorate):
    @decorate
    def step(value, *, scale=1):
        """The step."""
        return faulty() if value else scale

    assert step(0, scale=3) == 3 and step.__name__ == "step" and step.__doc__ == "The step."
    with pytest.raises(RuntimeError) as caught:
        step(1)
    assert "16·8·8" in notes(caught.value)


def test_nested_blocks_explain_once_and_unknown_errors_not_at_all():
    with pytest.raises(RuntimeError) as caught, shapewright.clarify(), shapewright.clarify():
        faulty()
    assert len(caught.value.__notes__) == 1
    with pytest.raises(KeyError) as caught, shapewright.clarify():
        {}["x"]
    assert notes(caught.value) == ""


def test_a_method_can_be_decorated():
    class Model:
        @shapewright.clarify
        def forward(self, x):
            return x.sum(5)

    with pytest.raises(IndexError) as caught:
        Model().forward(torch.zeros(2))
    assert "dim 5" in notes(caught.value)
