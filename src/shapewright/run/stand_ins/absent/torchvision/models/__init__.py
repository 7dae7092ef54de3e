"""`torchvision.models`: true shapes and attribute names, made-up weights."""

from . import densenet as _densenet
from .classics import VGG, AlexNet, SqueezeNet
from .densenet import DenseNet
from .mobile import ConvNeXt, EfficientNet, MobileNetV2, MobileNetV3
from .registry import Weights, WeightsEnum, get_model, get_weight, list_models, publish
from .resnet import ResNet
from .vit import VisionTransformer

publish(globals())
