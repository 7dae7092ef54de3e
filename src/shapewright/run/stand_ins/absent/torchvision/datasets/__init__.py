"""`torchvision.datasets`: the true sizes, classes and attributes; files on this machine where there are some, made-up pictures else."""

from .digits import EMNIST, KMNIST, MNIST, QMNIST, USPS, FashionMNIST
from .folder import DatasetFolder, ImageFolder, default_loader
from .photos import CIFAR10, CIFAR100, STL10, SVHN, Caltech101, Caltech256, DTD, EuroSAT, FakeData, FGVCAircraft, Flowers102, Food101, GTSRB, ImageNet, OxfordIIITPet, StanfordCars
from .scenes import CelebA, CocoCaptions, CocoDetection, VOCDetection, VOCSegmentation
from .vision import VisionDataset

__all__ = [
    "CIFAR10", "CIFAR100", "Caltech101", "Caltech256", "CelebA", "CocoCaptions", "CocoDetection", "DTD", "DatasetFolder", "EMNIST", "EuroSAT",
    "FGVCAircraft", "FakeData", "FashionMNIST", "Flowers102", "Food101", "GTSRB", "ImageFolder", "ImageNet", "KMNIST", "MNIST", "OxfordIIITPet",
    "QMNIST", "STL10", "SVHN", "StanfordCars", "USPS", "VOCDetection", "VOCSegmentation", "VisionDataset", "default_loader",
]
