"""Reads the message of an exception once: the only place where a run looks at torch's English."""

from __future__ import annotations

import re

from ...trace.said import (
    CheckpointNames,
    CheckpointSize,
    ClassBeyond,
    GradientCount,
    GradientShape,
    LengthBeyond,
    NoProbabilities,
    NotDivisible,
    PairGiven,
    Refusal,
    Said,
    Shape,
)

SIZES = r"(?:torch\.Size\()?\[([\d, ]*)\]\)?"
GRADIENT_SHAPE = re.compile(
    r"Function (\w+?)(?:Backward)? returned an invalid gradient at index (\d+) - got \[([\d, ]*)\] but expected shape "
    r"compatible with \[([\d, ]*)\]"
)
GRADIENT_COUNT = re.compile(
    r"unction (\w+?)(?:Backward)? returned an incorrect number of gradients \(expected (\d+), got (\d+)\)"
)
CHECKPOINT = re.compile(
    rf"size mismatch for ([\w.]+): copying a param with shape {SIZES} from checkpoint, "
    rf"the shape in current model is {SIZES}"
)
NAMES = re.compile(r"(Missing|Unexpected) key\(s\) in state_dict: ((?:\"[\w.]+\"(?:, )?)+)")
STEPS = re.compile(r"Expected input_lengths to have .*?value at most (\d+), but got value (\d+)")
LABELS = re.compile(
    r"Expected tensor to have size at least (\d+) at dimension 1, but got size (\d+) for argument #\d 'targets' "
    r"\(while checking arguments for ctc_loss"
)
PAIR = re.compile(r"torch\.return_types\.(max|min|sort|topk|median|nanmedian|mode|kthvalue|cummax|cummin)\b")
PROBABILITIES = re.compile(
    r"Expected parameter probs \(.*?\) of distribution (\w+)\(.*? to satisfy the constraint \w+\((?!.*\bnan\b)",
    re.DOTALL,
)
TARGET = re.compile(r"Target (\d+) is out of bounds")
NUMBER = re.compile(r"(?<![\w.])\d+")
REFUSALS = {  # any of the sentences, each all of its parts
    Refusal.ARRAYS: ("inhomogeneous", "array", "shape", "broadcast"),
    Refusal.CHANGED_IN_PLACE: ("inplace operation", "in-place operation"),
    Refusal.COUNT: ("is invalid for input",),
    Refusal.FRACTION: (
        *("slice indices must be integers", "indices must be integers … not float", "element of type float"),
        *("'float' object cannot be interpreted", "non-int of type 'float'", "must be int, not float"),
        *("must be tuple of ints … float", "must be type tuple of ints … float"),
    ),
    Refusal.GRAPH_FREED: ("second time", "backward through the graph"),
    Refusal.LEAF: ("leaf Variable that requires grad",),
    Refusal.NO_ACCELERATOR: (
        *("Cannot access accelerator device when none", "Torch not compiled with", "not linked with support for"),
        *("without ATen_cuda library", "from the 'MPS' backend", "Tried to instantiate dummy base class"),
        *("No CUDA GPUs are available", "Found no NVIDIA driver", "torch.cuda.is_available() is False"),
        "No HIP GPUs are available",
    ),
    Refusal.NO_AXIS: ("zero-dimensional tensor",),
    Refusal.NO_PARAMETERS: ("optimizer got an empty parameter list",),
    Refusal.NUMPY_OF_GRAPH: ("requires grad … numpy", "requires grad … Numpy"),
    Refusal.ONE_VALUE: ("more than 1 value per channel",),
    Refusal.SCALAR: ("scalar outputs",),
    Refusal.NOT_A_TENSOR: (
        *("must be Tensor, not tuple", "must be Tensor, not list", "expected Tensor as element"),
        *("'tuple' object has no attribute", "'list' object has no attribute"),
        *("tuple indices must be integers", "list indices must be integers"),
        *("unsupported operand type … 'tuple'", "unsupported operand type … 'list'"),
    ),
    Refusal.NOTHING: (
        *("must be Tensor, not NoneType", "unsupported operand type … 'NoneType'"),
        *("'NoneType' object has no attribute", "'NoneType' object is not subscriptable"),
        *("'NoneType' object is not iterable", "non-iterable NoneType", "but got NoneType", "but got None"),
    ),
    Refusal.SCATTERED: ("not compatible",),
    Refusal.SHAPES_ONLY: ("device meta", "X1: meta", "X2: meta", "meta and cpu", "cpu and meta", "on meta device"),
    Refusal.TYPES: ("type", "expected Long", "Float", "LongTensor", "IntTensor"),
    Refusal.UNEQUAL: ("equal size", "expected sequence of length"),
    Refusal.UNPACKED: ("unpack",),
    Refusal.UNSORTED: ("enforce_sorted",),
    Refusal.WEIGHT: ("weight",),
}


def said(message: str) -> tuple[Said, ...]:
    """What a message says, in the order of the text for one kind of sentence.

    >>> said("Target 7 is out of bounds.")
    (ClassBeyond(target=7),)
    """
    found: list[Said] = [
        GradientShape(name, int(index), _shape(got), _shape(due))
        for name, index, got, due in GRADIENT_SHAPE.findall(message)
    ]
    found += [GradientCount(name, int(due), int(got)) for name, due, got in GRADIENT_COUNT.findall(message)]
    found += [CheckpointSize(name, _shape(saved), _shape(own)) for name, saved, own in CHECKPOINT.findall(message)]
    apart = {kind: tuple(part.strip(' "') for part in names.split(",")) for kind, names in NAMES.findall(message)}
    found += [CheckpointNames(apart.get("Missing", ()), apart.get("Unexpected", ()))] if apart else []
    found += [LengthBeyond("input_lengths", int(most), int(got)) for most, got in STEPS.findall(message)]
    found += [LengthBeyond("target_lengths", int(most), int(got)) for got, most in LABELS.findall(message)]
    found += [PairGiven(op) for op in PAIR.findall(message)]
    found += [ClassBeyond(int(target)) for target in TARGET.findall(message)]
    found += [NoProbabilities(name) for name in PROBABILITIES.findall(message)]
    found += _division(message.lower())
    found += [
        refusal
        for refusal, sentences in REFUSALS.items()
        if any(all(part in message for part in sentence.split(" … ")) for sentence in sentences)
    ]
    return tuple(found)


def _shape(text: str) -> Shape:
    return tuple(int(number) for number in text.split(",") if number.strip())


def _division(text: str) -> list[Said]:
    """A library's own sentence about division: `embed_dim must be divisible by num_heads`, `groups`."""
    if "divisible" not in text and "not a multiple of" not in text:
        return []
    numbers = [int(number) for number in NUMBER.findall(text)]
    whole, part = numbers if len(numbers) == 2 else (None, None)
    of = "heads" if "head" in text or "embed_dim" in text else "groups" if "group" in text else ""
    return [NotDivisible(of, whole, part)] if of else []
