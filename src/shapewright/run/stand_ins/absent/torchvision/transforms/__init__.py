"""`torchvision.transforms`."""

from . import functional, transforms
from .transforms import *  # noqa: F403
