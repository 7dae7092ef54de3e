"""`torchvision.datasets`: the true sizes, classes and attributes; files on this machine where there are some, made-up
pictures else."""

from .digits import EMNIST, KMNIST, MNIST, QMNIST, USPS, FashionMNIST
from .folder import DatasetFolder, ImageFolder, default_loader
from .photos import (
    CIFAR10,
    CIFAR100,
    DTD,
    GTSRB,
    STL10,
    SVHN,
    Caltech101,
    Caltech256,
    EuroSAT,
    FakeData,
    FGVCAircraft,
    Flowers102,
    Food101,
    ImageNet,
    OxfordIIITPet,
    StanfordCars,
)
from .scenes import CelebA, CocoCaptions, CocoDetection, VOCDetection, VOCSegmentation
from .vision import VisionDataset

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "DTD",
    "EMNIST",
    "GTSRB",
    "KMNIST",
    "MNIST",
    "QMNIST",
    "STL10",
    "SVHN",
    "USPS",
    "Caltech101",
    "Caltech256",
    "CelebA",
    "CocoCaptions",
    "CocoDetection",
    "DatasetFolder",
    "EuroSAT",
    "FGVCAircraft",
    "FakeData",
    "FashionMNIST",
    "Flowers102",
    "Food101",
    "ImageFolder",
    "ImageNet",
    "OxfordIIITPet",
    "StanfordCars",
    "VOCDetection",
    "VOCSegmentation",
    "VisionDataset",
    "default_loader",
]
