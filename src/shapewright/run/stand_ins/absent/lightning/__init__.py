"""Stands for Lightning where it is not installed, under its later name: its `pytorch` part has the same names."""

import sys

from shapewright.run.stand_ins.lightning import VERSION as __version__
from shapewright.run.stand_ins.lightning import named as __getattr__
from shapewright.run.stand_ins.lightning import seed_everything as seed_everything
from shapewright.run.stand_ins.lightning.callbacks import Callback as Callback
from shapewright.run.stand_ins.lightning.module import LightningDataModule as LightningDataModule
from shapewright.run.stand_ins.lightning.module import LightningModule as LightningModule
from shapewright.run.stand_ins.lightning.trainer import LightningCLI as LightningCLI
from shapewright.run.stand_ins.lightning.trainer import Trainer as Trainer

pytorch = sys.modules[f"{__name__}.pytorch"] = sys.modules[__name__]
