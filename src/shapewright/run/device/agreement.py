"""Which device the result of a call is on, and what torch says where its operands are on several."""

from __future__ import annotations

import torch

from ... import ops

Tensor = torch.Tensor
Places = list[tuple[Tensor, torch.device]]

# calls whose tensors may lie on several devices; the result is where the first is
MIXED = frozenset(
    {
        "copy_",
        "expand_as",
        "view_as",
        "reshape_as",
        "fill_",
        "new_tensor",
        "backward",
        "grad",
        "load_state_dict",
        "ctc_loss",
        "_ctc_loss",
        "tensor_split",
        "share_memory_",
        "save",
        "register_hook",
        "clip_grad_norm_",
        "__deepcopy__",
        "__reduce_ex__",
        "register_post_accumulate_grad_hook",
        "requires_grad_",
        "pad_sequence",
        "result_type",
        "can_cast",
        "checkpoint",
    }
)
# groups of the table in which a 0-dim CPU tensor is no number: it has to be where the others are
NO_NUMBERS = ("joins", "measures_error", "classifies", "learned", "contracts", "clamps", "reduces", "points", "picks")
# and those with one tensor, whose other arguments are numbers wherever they are
ONE_TENSOR = ("reshapes", "splits", "shifts", "activates", "drops", "pads", "repeats", "fills", "fills_constant")
WRITES = frozenset({"__setitem__", "index_put", "index_put_"})


def refusal(text: str) -> RuntimeError:
    """The error that torch raises with this text where there is such a device."""
    error = RuntimeError(text)
    error.as_torch_says = True  # type: ignore[attr-defined]
    return error


def agreed(name: str, places: Places) -> torch.device | None:
    """The device of the results. Raises `RuntimeError` where torch does not let these operands meet."""
    if ops.is_a(name, "recurrent"):
        places = [(tensor, place) for tensor, place in places if tensor.is_floating_point()] or places
    elif name in WRITES:
        _written(places)
        return places[0][1]
    elif ops.is_a(name, *ONE_TENSOR, "takes_count"):
        places = [places[0], *((tensor, place) for tensor, place in places[1:] if tensor.dim() > 0)]
    first = places[0][1]
    if all(place == first for _, place in places):
        return first
    if name in MIXED or (name.startswith("_") and not name.startswith("__")):
        return first
    if name == "__getitem__":
        if first.type == "cpu" and any(place != first and tensor.dim() > 0 for tensor, place in places):
            raise refusal("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
        return first
    weighty = places
    if not ops.is_a(name, *NO_NUMBERS):
        # a 0-dim CPU tensor meets any device, as a number does
        weighty = [(tensor, place) for tensor, place in places if place.type != "cpu" or tensor.dim() > 0]
    if all(place == weighty[0][1] for _, place in weighty) and not _written_elsewhere(name, first, weighty):
        return weighty[0][1]
    raise refusal(_complaint(name, weighty if len({place for _, place in weighty}) > 1 else places))


def _written(places: Places) -> None:
    """Values that are written at indices are where the tensor is, or one number; so are those of a slice, which are
    copied. The indices may be anywhere."""
    (_, place), indices, (value, value_place) = places[0], places[1:-1], places[-1]
    if indices and value_place != place and value.dim() > 0:
        raise refusal(_complaint("index_put_", [places[0], places[-1]]))


def _written_elsewhere(name: str, first: torch.device, weighty: Places) -> bool:
    """Whether a call in place would have to leave its result on another device than its tensor."""
    in_place = (name.endswith("_") and not name.endswith("__")) or (name.startswith("__i") and name != "__invert__")
    return in_place and weighty[0][1] != first


def _complaint(name: str, places: Places) -> str:
    first = places[0][1]
    other = next(place for _, place in places if place != first)
    if ops.is_a(name, "recurrent"):
        return (
            f"Input and parameter tensors are not at the same device, found input tensor at {first} and parameter "
            f"tensor at {other}"
        )
    if ops.is_a(name, "convolves"):
        kinds = [
            f"torch.{'' if place.type == 'cpu' else place.type + '.'}{_kind(tensor)}" for tensor, place in places[:2]
        ]
        if kinds[0] != kinds[1]:
            tail = " or input should be a MKLDNN tensor and weight is a dense tensor" if first.type == "cpu" else ""
            return f"Input type ({kinds[0]}) and weight type ({kinds[1]}) should be the same{tail}"
    accelerator, cpu = (first, other) if first.type != "cpu" else (other, first)
    return f"Expected all tensors to be on the same device, but found at least two devices, {accelerator} and {cpu}!"


def _kind(tensor: Tensor) -> str:
    return tensor.type().rsplit(".", 1)[-1]


def rows_agree(name: str, lists: list[list[tuple[Tensor, torch.device | None]]]) -> None:
    """Hold one call over lists of tensors (an optimizer's) to what holds for each row: parameter, gradient, state.

    Raises `RuntimeError` where the tensors of a row are on several devices."""
    for row in zip(*lists, strict=False):
        known = [(tensor, place) for tensor, place in row if place is not None and tensor.dim() > 0]
        if any(place != known[0][1] for _, place in known):
            raise refusal(_complaint(name, known))
