"""The callbacks of Lightning: the base is known, the library's own ones are not."""

from shapewright.run.stand_ins.lightning import named as __getattr__
from shapewright.run.stand_ins.lightning.callbacks import Callback as Callback
