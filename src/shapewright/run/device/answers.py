"""What calls answer in a run that simulates an accelerator where the devices of their operands alone do not tell:
moves, questions about devices, gradients, attention."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from .agreement import agreed, refusal
from .places import CPU, Tensor, claim, claimed, known_place, name_of, pinned, places_of, simulated

if TYPE_CHECKING:
    from .simulated import Devices


def _get_device(mode: Devices, func: Any, args: tuple, kwargs: dict) -> torch.device:
    place = claimed(args[0], mode)
    return place if place.type != "cpu" or args[0].is_meta else func(*args)


def _is_cuda(mode: Devices, func: object, args: tuple, kwargs: dict) -> bool:
    return claimed(args[0]).type == "cuda"


def _is_cpu(mode: Devices, func: object, args: tuple, kwargs: dict) -> bool:
    return claimed(args[0]).type == "cpu"


def _index_of_device(mode: Devices, func: object, args: tuple, kwargs: dict) -> int:
    place = claimed(args[0])
    return -1 if place.type == "cpu" else place.index


def _numpy(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    place = known_place(args[0]) or CPU
    forced = kwargs.get("force", False)
    if place.type != "cpu" and not forced:
        raise TypeError(
            f"can't convert {place} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
            f"first."
        )
    return func(*args, **kwargs)


def _to(mode: Devices, func: object, args: tuple, kwargs: dict) -> Tensor:
    """`t.to(device)`, `t.to(dtype)`, `t.to(other)`, `t.to(device, dtype, non_blocking, copy)`."""
    tensor, rest = args[0], list(args[1:])
    wanted = kwargs.get("device")
    other = kwargs.get("other")
    if (rest and isinstance(rest[0], (str, torch.device))) or (
        rest and isinstance(rest[0], int) and not isinstance(rest[0], bool)
    ):
        wanted = rest.pop(0)
    elif rest and isinstance(rest[0], Tensor):
        other = rest.pop(0)
    elif rest and rest[0] is None:
        rest.pop(0)
    if rest and rest[0] is None:  # .to(device, None, non_blocking)
        rest[0] = tensor.dtype
    if other is not None:
        target, rest = claimed(other), [other.dtype, *rest]
    elif wanted is None:
        target = None
    else:
        target = simulated(wanted) or torch.device(wanted)
    return moved(mode, tensor, target, func, rest, {k: v for k, v in kwargs.items() if k not in ("device", "other")})


def moved(mode: Devices, tensor: Tensor, target: torch.device | None, to: Any, rest: list, kwargs: dict) -> Tensor:
    """`tensor` on `target` (`None`: where it is), after `to(tensor, *rest, **kwargs)` for dtype and format."""
    here = known_place(tensor)
    if target is not None and target.type == "meta":
        return to(tensor, target, *rest, **kwargs)
    target = here if target is None else target
    if target is not None and target.type != "cpu":
        mode.use(target)
    if rest and isinstance(rest[0], bool):  # .to(device, non_blocking)
        rest = [tensor.dtype, *rest]
    result = to(tensor, *rest, **kwargs) if rest or kwargs else tensor
    if target != here and result is tensor:
        # a move is a copy; a parameter moved by Module.to keeps its memory
        result = (
            tensor.detach()
            if isinstance(tensor, torch.nn.Parameter) and not torch.is_grad_enabled()
            else tensor.clone()
        )
    if target is not None:
        claim(result, target)
    return result


def _cuda(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Tensor:
    device = kwargs.get("device", args[1] if len(args) > 1 else None)
    return moved(mode, args[0], simulated(func.__name__ if device is None else device), Tensor.to, [], {})


def _cpu(mode: Devices, func: object, args: tuple, kwargs: dict) -> Tensor:
    return moved(mode, args[0], CPU, Tensor.to, [], {})


def _type(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    wanted = args[1] if len(args) > 1 else kwargs.get("dtype")
    here = claimed(args[0])
    if wanted is None:
        text = func(args[0])
        return text if here.type == "cpu" else text.replace("torch.", f"torch.{here.type}.", 1)
    named = wanted if isinstance(wanted, str) else getattr(wanted, "__qualname__", "")
    if named.startswith("torch.") and named.endswith("Tensor"):  # a type names its device
        target = simulated("cuda") if named.startswith("torch.cuda.") else CPU
        return moved(mode, func(args[0], named.replace("cuda.", "")), target, Tensor.to, [], {})
    result = func(*args, **kwargs)
    if result is not args[0]:
        claim(result, here)
    return result


def _type_as(mode: Devices, func: object, args: tuple, kwargs: dict) -> Tensor:
    other = args[1] if len(args) > 1 else kwargs["other"]
    return moved(mode, args[0], claimed(other, mode), Tensor.to, [other.dtype], {})


def _new(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    """`t.new(...)`, which is not a call of torch's tables: it makes a tensor where `t` is."""
    result = func(*args, **kwargs)
    claim(result, claimed(args[0], mode))
    return result


def _parse_to(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    """What `Module.to` was given; a number is an accelerator."""

    def full(value: object) -> Any:
        return torch.device(mode.kind, value) if isinstance(value, int) and not isinstance(value, bool) else value

    kwargs = {key: full(value) if key == "device" else value for key, value in kwargs.items()}
    return func(*(map(full, args[:1])), *args[1:], **kwargs)


def _pin(mode: Devices, func: object, args: tuple, kwargs: dict) -> Tensor:
    pinned(args[0])
    return args[0]


def _broadcast(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    """Each result is where its operand is."""
    results = func(*args, **kwargs)
    for result, given in zip(results, args[0] if args and isinstance(args[0], (list, tuple)) else args):
        if (place := known_place(given)) is not None:
            claim(result, place)
    return results


def _attention(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    """Attention that is called causal reads no mask."""
    read = kwargs
    if kwargs.get("is_causal") and kwargs.get("key_padding_mask") is None and not kwargs.get("need_weights", True):
        read = {key: value for key, value in kwargs.items() if key != "attn_mask"}
    known = [(tensor, place) for tensor, place in places_of(args, read) if place is not None]
    result = func(*args, **kwargs)
    if known:
        claim(result, agreed(name_of(func), known))
    return result


def _of_probabilities(mode: Devices, func: object, args: tuple, kwargs: dict) -> Tensor:
    """Cross-entropy of probabilities, which torch refuses within autocast on CUDA."""
    if mode.autocasting:
        raise refusal(
            "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
            "Many models use a sigmoid layer right before the binary cross entropy layer. In this case, combine the "
            "two layers using torch.nn.functional.binary_cross_entropy_with_logits or torch.nn.BCEWithLogitsLoss. "
            "binary_cross_entropy_with_logits and BCEWithLogits are safe to autocast."
        )
    return mode.claiming(func, args, kwargs, None)


def _same(mode: Devices, func: object, args: tuple, kwargs: dict) -> Any:
    return args[0]


def _set_data(mode: Devices, func: Any, args: tuple, kwargs: dict) -> None:
    func(*args)
    if (place := known_place(args[1])) is not None:
        claim(args[0], place)


def _set_gradient(mode: Devices, func: Any, args: tuple, kwargs: dict) -> None:
    places = [known_place(value) for value in args if isinstance(value, Tensor)]
    if len(places) == 2 and None not in places and places[0] != places[1]:
        raise refusal(
            f"attempting to assign a gradient with device type '{places[1].type}' to a tensor with device type "
            f"'{places[0].type}'. Please ensure that the gradient and the tensor are on the same device"
        )
    func(*args)


def _gradient(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    result = func(*args)
    if isinstance(result, Tensor) and (place := known_place(args[0])) is not None:
        claim(result, place)
    return result


def _backward(mode: Devices, func: object, args: tuple, kwargs: dict) -> None:
    """The body of `Tensor.backward`, with this mode on: hooks and recomputation are the script's code."""

    def body(tensor, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        torch.autograd.backward(tensor, gradient, retain_graph, create_graph, inputs=inputs)

    gradient = args[1] if len(args) > 1 else kwargs.get("gradient")
    _same_gradients(args[0], gradient)
    with mode:
        body(*args, **kwargs)


def _differentiated(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    given = args[2] if len(args) > 2 else kwargs.get("grad_outputs")
    _same_gradients(args[0] if args else kwargs["outputs"], given)
    results = func(*args, **kwargs)
    inputs = args[1] if len(args) > 1 else kwargs["inputs"]
    for result, value in zip(results, (inputs,) if isinstance(inputs, Tensor) else inputs):
        if isinstance(result, Tensor) and (place := known_place(value)) is not None:
            claim(result, place)
    return results


def _same_gradients(outputs: Any, gradients: Any) -> None:
    """Raises `RuntimeError` where a gradient that is given (0-dim CPU tensors aside) is not where its output is."""
    outputs, gradients = ((value,) if isinstance(value, Tensor) else value or () for value in (outputs, gradients))
    for index, (output, gradient) in enumerate(zip(outputs, gradients)):
        if not isinstance(gradient, Tensor) or gradient.dim() == 0:
            continue
        here, there = known_place(output), known_place(gradient)
        if here is not None and there is not None and here != there:
            raise refusal(f"invalid gradient at index {index} - expected device {here} but got {there}")


def _plain(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    return func(*args, **kwargs)


HANDLERS: dict[Any, Callable] = {
    Tensor.device.__get__: _get_device,
    Tensor.is_cuda.__get__: _is_cuda,
    Tensor.is_cpu.__get__: _is_cpu,
    Tensor.get_device: _index_of_device,
    Tensor.numpy: _numpy,
    Tensor.__array__: _numpy,
    Tensor.to: _to,
    torch._C._nn._parse_to: _parse_to,
    Tensor.cuda: _cuda,
    Tensor.cpu: _cpu,
    Tensor.xpu: _cuda,
    Tensor.type: _type,
    Tensor.new: _new,
    Tensor.pin_memory: _pin,
    Tensor.type_as: _type_as,
    torch.broadcast_tensors: _broadcast,
    torch.autograd.grad: _differentiated,
    torch.nn.functional.binary_cross_entropy: _of_probabilities,
    torch.nn.functional.multi_head_attention_forward: _attention,
    Tensor.data.__set__: _set_data,
    Tensor.grad.__get__: _gradient,
    Tensor.grad.__set__: _set_gradient,
    Tensor.record_stream: _same,
    Tensor.shape.__get__: _plain,
    Tensor.dtype.__get__: _plain,
    Tensor.requires_grad.__get__: _plain,
    Tensor.is_leaf.__get__: _plain,
    Tensor.grad_fn.__get__: _plain,
    Tensor.ndim.__get__: _plain,
    Tensor.dim: _plain,
    Tensor.size: _plain,
    Tensor.numel: _plain,
    Tensor.backward: _backward,
}


@functools.cache
def handler(func: object) -> Callable | None:
    """What answers a call, also one that a run has wrapped; `None` where the devices of its operands tell."""
    return HANDLERS.get(func) or HANDLERS.get(getattr(func, "__wrapped__", None))
