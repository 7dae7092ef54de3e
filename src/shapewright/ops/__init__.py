"""What is known of operators, without torch: operands, arguments, where each axis of a result comes from, what each
axis is used as, which sizes must agree, which way a result grows.

Teaching an operator is one `teach(...)` in the file of its family; teaching a layer is one line in `layers`. What is
not in the table is unknown: it is never evidence.

>>> from shapewright import ops
>>> ops.find("softmax").dim, ops.is_a("add_", "arithmetic"), "gru" in ops.named("recurrent")
('normalized', True, True)
"""

import importlib
import pkgutil

from .call import Bound, Misfit, bind, bound, constrained, layout, misfit, use_of, uses
from .layers import Layer, layer, layer_of
from .maps import summed
from .places import Place
from .stated import stated
from .table import Op, every, find, is_a, named, names_axis, teach

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")

__all__ = [
    "Bound",
    "Layer",
    "Misfit",
    "Op",
    "Place",
    "bind",
    "bound",
    "constrained",
    "every",
    "find",
    "is_a",
    "layer",
    "layer_of",
    "layout",
    "misfit",
    "named",
    "names_axis",
    "stated",
    "summed",
    "teach",
    "use_of",
    "uses",
]
