"""Which device the result of a call is on, and what torch says where its operands are on several."""

from __future__ import annotations

import torch

from ... import ops

Tensor = torch.Tensor
Places = list[tuple[Tensor, torch.device]]

# calls that may take operands from several devices
MIXED = frozenset(
    {
        "copy_",
        "__setitem__",
        "set_",
        "type_as",
        "backward",
        "load_state_dict",
        "ctc_loss",
        "_ctc_loss",
        "tensor_split",
        "share_memory_",
        "new_tensor",
        "tensor",
        "as_tensor",
        "asarray",
        "from_numpy",
        "save",
        "register_hook",
        "clip_grad_norm_",
        "__deepcopy__",
        "__reduce_ex__",
        "register_post_accumulate_grad_hook",
        "requires_grad_",
        "repeat_interleave",
        "pad_sequence",
        "broadcast_tensors",
        "result_type",
        "can_cast",
        "grad",
        "index_put",
        "index_put_",
        "checkpoint",
    }
)
ITEMS = frozenset({"__getitem__"})


def agreed(name: str, places: Places) -> torch.device | None:
    """The device of the results. Raises `RuntimeError` where torch does not let these operands meet."""
    if ops.is_a(name, "recurrent"):
        places = [(tensor, place) for tensor, place in places if tensor.is_floating_point()] or places
    first = places[0][1]
    if all(place == first for _, place in places):
        return first
    if (name.startswith("_") and name not in ITEMS and not name.startswith("__")) or name in MIXED:
        return first
    if name == "__getitem__":
        if first.type == "cpu":
            raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
        return first
    # a 0-dim CPU tensor meets any device, as a number does
    weighty = [(tensor, place) for tensor, place in places if place.type != "cpu" or tensor.dim() > 0]
    if all(place == weighty[0][1] for _, place in weighty):
        return weighty[0][1]
    raise RuntimeError(_complaint(name, weighty))


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
