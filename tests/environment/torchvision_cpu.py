"""Lets the Python of torchvision's CUDA wheel import beside a CPU torch: the schemas of its missing operators are declared.

The package registry has no CPU wheel. `make setup` puts this module and a `.pth` line that imports it into the test
environment; it costs nothing until torchvision is imported. The operators themselves stay absent: a call of one fails.
"""

import sys

SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)


class Declaring:
    """Declares the schemas right before torchvision is looked for, once."""

    def find_spec(self, name, path=None, target=None):
        if name == "torchvision":
            sys.meta_path.remove(self)
            import torch

            self.library = torch.library.Library("torchvision", "FRAGMENT")  # it ends with the last reference to it
            KEPT.append(self.library)
            for schema in SCHEMAS:
                if not hasattr(torch.ops.torchvision, schema.partition("(")[0]):
                    self.library.define(schema)


KEPT = []
sys.meta_path.insert(0, Declaring())
