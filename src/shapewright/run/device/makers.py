"""What makes tensors where the mode does not look: types such as `torch.cuda.FloatTensor`, `Variable`, parameters,
files, arrays, default devices."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .places import CPU, claim, claimed, known_place, simulated

if TYPE_CHECKING:
    from .simulated import Devices

KINDS = ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool")


class _Kind(type):
    """The type of `torch.FloatTensor` and its kin while a run lasts: makes tensors, knows its instances."""

    plain: Any
    make: Any

    def __call__(cls, *args: object, **kwargs: object) -> Any:
        return cls.make(*args, **kwargs)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, torch.Tensor) and value.type() == cls.__qualname__


def typed(devices: Devices, plain: Any, owner: str) -> Any:
    """`torch.FloatTensor(...)` or, for an `owner` of `torch.cuda`, `torch.cuda.FloatTensor(...)`."""
    name = plain.__name__

    def make(*args: object, **kwargs: object) -> torch.Tensor:
        place = simulated("cuda") if owner == "torch.cuda" else CPU
        if place is not CPU:
            devices.use(place)
        with torch._C.DisableTorchFunction():
            result = plain(*args, **kwargs)
            claim(result, place)
        return result

    table = {"plain": plain, "make": staticmethod(make), "__module__": owner, "__qualname__": f"{owner}.{name}"}
    table["dtype"] = getattr(plain, "dtype", None)
    return _Kind(f"{owner}.{name}", (), table)


def defaults(devices: Devices) -> dict[str, Any]:
    """`torch.set_default_device` and its kin, for a device that is absent."""
    set_device, get_device, set_type = torch.set_default_device, torch.get_default_device, torch.set_default_tensor_type

    def put(device: Any) -> None:
        devices.default = simulated(device)
        if devices.default is not None:
            devices.use(devices.default)
        set_device(None if devices.default is not None else device)

    def make(kind: Any) -> None:
        named = kind if isinstance(kind, str) else getattr(kind, "__qualname__", "")
        on_device = named.startswith("torch.cuda.")
        plain = getattr(torch, named.rpartition(".")[2], kind)
        while hasattr(plain, "plain"):
            plain = plain.plain
        set_type(plain)
        put("cuda" if on_device else None)

    return {
        "set_default_device": put,
        "get_default_device": lambda: devices.default or get_device(),
        "set_default_tensor_type": make,
    }


def makers(devices: Devices) -> list[tuple[Any, str, Any]]:
    """What makes tensors that the mode does not see: legacy constructors, `Variable`, parameters, files."""

    class Generator(torch._C.Generator):
        """A CPU generator that says where the script wanted it."""

        def __new__(cls, device: object = "cpu"):
            made = super().__new__(cls, CPU if simulated(device) else device)
            made._wanted = simulated(device)
            return made

        @property
        def device(self) -> torch.device:
            return self._wanted or CPU

    load = torch.load

    @functools.wraps(load)
    def load_to(f: Any, map_location: Any = None, *args: object, **kwargs: object) -> Any:
        target = simulated(map_location) if isinstance(map_location, (str, torch.device)) else None
        if target is not None:
            devices.use(target)
            map_location = "cpu"
        elif map_location is None and devices.kind:  # what was saved on an accelerator comes back to it
            found: list[str] = []
            result = load(f, lambda storage, location: found.append(location) or storage, *args, **kwargs)
            target = next((place for place in map(simulated, found) if place is not None), None)
            if target is not None:
                claim(result, target)
            return result
        result = load(f, map_location, *args, **kwargs)
        if target is not None or isinstance(map_location, (str, torch.device)):
            claim(result, target or CPU)
        return result

    parameter, variable = nn.Parameter.__new__, torch.autograd.Variable
    make_variable = variable.__new__

    def made(cls: type, data: object = None, requires_grad: bool = True) -> nn.Parameter:
        result = parameter(cls, data, requires_grad)
        if isinstance(data, torch.Tensor) and (place := known_place(data)) is not None:
            claim(result, place)
        return result

    def varied(cls: type, data: object = None, *args: object, **kwargs: object) -> Any:
        result = make_variable(cls, data, *args, **kwargs)
        if isinstance(data, torch.Tensor):
            claim(result, claimed(data, devices))
        return result

    def on_cpu(original: Any) -> Any:
        @functools.wraps(original)
        def shared(*args: object, **kwargs: object) -> torch.Tensor:
            result = original(*args, **kwargs)
            claim(result, CPU)
            return result

        return shared

    return [
        (torch, "Generator", Generator),
        (torch, "from_numpy", on_cpu(torch.from_numpy)),
        (torch, "frombuffer", on_cpu(torch.frombuffer)),
        (torch, "load", load_to),
        (nn.Parameter, "__new__", staticmethod(made)),
        (variable, "__new__", staticmethod(varied)),
        *((torch, f"{name}Tensor", typed(devices, getattr(torch, f"{name}Tensor"), "torch")) for name in KINDS),
    ]
