"""What a model of Hugging Face gives is a tuple where a script takes it apart, as before version 4.

Where a script has its data, nothing else keeps it from running: the error that it raises today is left to it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ..context import Context, is_user_file
from ..expected import parts


def patch(module: ModuleType, context: Context) -> None:
    """Give the parts instead of their names."""
    kind = module.ModelOutput

    def __iter__(self: Any) -> Any:
        frame = sys._getframe(1)
        made_up = context.made is not None or context.invented is not None
        if not (made_up and is_user_file(frame.f_code.co_filename) and parts(frame)):
            return super(kind, self).__iter__()
        context.note("old-interface", old="a, b = model(…)", new="a, b = model(…, return_dict=False)")
        return iter(self.to_tuple())

    kind.__iter__ = __iter__
