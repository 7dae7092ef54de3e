"""Interfaces that libraries have given up since a script was written: each is read as its present spelling, and told.

One table a library, `old name: present name`. What has no present spelling of the same meaning is not here.
"""

from __future__ import annotations

import builtins
import collections.abc
import contextlib
import copy
import dataclasses
import functools
import importlib
import math
import operator
import random
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils.data.dataloader import _BaseDataLoaderIter

from .context import Context, is_user_file

NUMPY = {
    "Inf": "inf",
    "Infinity": "inf",
    "PINF": "inf",
    "infty": "inf",
    "NaN": "nan",
    "NAN": "nan",
    "float_": "float64",
    "unicode_": "str_",
    "string_": "bytes_",
    "product": "prod",
    "cumproduct": "cumprod",
    "alltrue": "all",
    "sometrue": "any",
    "row_stack": "vstack",
    "in1d": "isin",
    "trapz": "trapezoid",
    **{name: "builtins" for name in ("float", "int", "bool", "object", "str", "complex")},
}
NOT_ITS_OWN = {"math": ("math", math), "asscalar": ("x.item()", operator.methodcaller("item"))}
MODULES = {  # of Python 2, for the most part
    "cPickle": "pickle",
    "Queue": "queue",
    "ConfigParser": "configparser",
    "StringIO": "io",
    "cStringIO": "io",
    "__builtin__": "builtins",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
    "torch.np": "numpy",  # of the first PyTorch
}
ALIKE = {  # libraries with the interface of another
    "oyaml": "yaml",
    "ujson": "json",
    "simplejson": "json",
    "rapidjson": "json",
    "regex": "re",
    "cloudpickle": "pickle",
    "dill": "pickle",
    "pickle5": "pickle",
    "multiprocess": "multiprocessing",
    "pathlib2": "pathlib",
}
PARTS = (":TrainingArguments", "_seq2seq:Seq2SeqTrainingArguments")
ARGUMENTS = {  # of a run of Hugging Face's trainers
    "evaluation_strategy": "eval_strategy",
    "no_cuda": "use_cpu",
    "per_gpu_train_batch_size": "per_device_train_batch_size",
    "per_gpu_eval_batch_size": "per_device_eval_batch_size",
    "push_to_hub_model_id": "hub_model_id",
    "push_to_hub_token": "hub_token",
    **dict.fromkeys(("overwrite_output_dir", "logging_dir", "save_safetensors", "group_by_length", "adafactor"), ""),
    **dict.fromkeys(("fp16_backend", "fp16_opt_level", "half_precision_backend", "tpu_num_cores", "past_index"), ""),
    **dict.fromkeys(("use_mps_device", "use_ipex", "jit_mode_eval", "warmup_ratio", "use_legacy_prediction_loop"), ""),
    **dict.fromkeys(("include_inputs_for_metrics", "include_tokens_per_second", "dispatch_batches", "ray_scope"), ""),
}
# Of functions and classes, * of all of a module: an argument's old and present name; an empty one is dropped, * goes by
# place
RENAMED = {
    "torch.utils.data.dataset:TensorDataset.__init__": {"data_tensor": "*", "target_tensor": "*"},
    "collections:namedtuple": {"verbose": ""},
    "json:load": {"encoding": ""},
    "json:loads": {"encoding": ""},
    "numpy:reshape": {"newshape": "shape"},
    "torch:Tensor.backward": {"retain_variables": "retain_graph"},
    "sklearn.manifold._t_sne:TSNE.__init__": {"n_iter": "max_iter"},
    "torchvision.utils:make_grid": {"range": "value_range"},
    "torchvision.utils:save_image": {"range": "value_range"},
    "torch.optim.lr_scheduler:*.__init__": {"verbose": ""},
    **{f"transformers.training_args{part}.__init__": ARGUMENTS for part in PARTS},
    "transformers.trainer:Trainer.__init__": {"tokenizer": "processing_class"},
    "transformers.trainer_seq2seq:Seq2SeqTrainer.__init__": {"tokenizer": "processing_class"},
}
LAZY = {  # of packages that load a part when one of its names is asked for
    "transformers": {
        "AutoModelWithLMHead": "AutoModelForCausalLM",
        "AutoModelForVision2Seq": "AutoModelForImageTextToText",
        "ViTFeatureExtractor": "ViTImageProcessor",
        "CLIPFeatureExtractor": "CLIPImageProcessor",
        "DetrFeatureExtractor": "DetrImageProcessor",
        "SegformerFeatureExtractor": "SegformerImageProcessor",
    }
}
MOVED = {
    "torch": {
        "set_deterministic": "use_deterministic_algorithms",
        "is_deterministic": "are_deterministic_algorithms_enabled",
    },
    "time": {"clock": "perf_counter"},
    "gymnasium.wrappers": {
        "GrayScaleObservation": "GrayscaleObservation",
        "FrameStack": "FrameStackObservation",
        "AutoResetWrapper": "Autoreset",
    },
    "PIL.Image": {"ANTIALIAS": "LANCZOS", "CUBIC": "BICUBIC", "LINEAR": "BILINEAR"},
    "torchvision.transforms": {"Scale": "Resize", "RandomSizedCrop": "RandomResizedCrop"},
    "torch.nn.utils": {"clip_grad_norm": "clip_grad_norm_"},
    "torch.nn.init": {
        name: f"{name}_"
        for name in (
            "xavier_uniform",
            "xavier_normal",
            "kaiming_uniform",
            "kaiming_normal",
            "normal",
            "uniform",
            "constant",
            "orthogonal",
        )
    },
}

GIVEN = {  # of functions: an argument that had a default once, and what of the module that was
    "yaml:load": ("Loader", "FullLoader"),
    "yaml:load_all": ("Loader", "FullLoader"),
}

NAMES = frozenset({*MOVED, *(place.partition(":")[0] for place in (*RENAMED, *GIVEN))})


def renamed(module: object, name: str, context: Context) -> None:
    """Give a module that was just imported its old names and arguments again."""
    for old, new in MOVED.get(name, {}).items():
        if not hasattr(module, old) and hasattr(module, new):
            present = getattr(module, new)
            told = _told(present, f"{name}.{old}", f"{name}.{new}", context) if callable(present) else present
            setattr(module, old, told)
    for place, arguments in RENAMED.items():
        owner_name, _, path = place.partition(":")
        if owner_name == name:
            for owner, told in _owners(module, path):
                last = path.rpartition(".")[2]
                setattr(owner, last, _taking(getattr(owner, last), arguments, told, context))
    for place, (argument, once) in GIVEN.items():
        owner_name, _, path = place.partition(":")
        if owner_name == name:
            setattr(
                module, path, _giving(getattr(module, path), argument, f"{name}.{once}", getattr(module, once), context)
            )


def lazily(module: ModuleType, name: str, context: Context) -> Any:
    """The present form of an old name of a package that loads its parts late; `None` where there is none."""
    new = LAZY.get(module.__name__, {}).get(name)
    present = getattr(module, new, None) if new is not None else None
    if present is not None:
        context.note("old-interface", old=f"{module.__name__}.{name}", new=f"{module.__name__}.{new}")
    return present


def _owners(module: Any, path: str) -> Iterator[tuple[Any, str]]:
    """What has the function that `path` ends with, each with the name that the function goes by."""
    *owners, last = path.split(".")
    if owners == ["*"]:
        for name, kind in list(vars(module).items()):
            if isinstance(kind, type) and last in vars(kind) and kind.__module__ == module.__name__:
                yield kind, name
    else:
        yield functools.reduce(getattr, owners, module), path.removesuffix(".__init__")


class Present:
    """Gives a module of Python 2 as what it is called now, an absent library as one with its interface."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return importlib.import_module(MODULES.get(spec.name) or ALIKE[spec.name])

    def exec_module(self, module: ModuleType) -> None:
        """It has been run."""


def present(name: str, context: Context) -> ModuleSpec | None:
    """The specification of a module that Python 2 had by this name, or of one with the interface of an absent library;
    `None` where there is none."""
    if name in ALIKE:
        context.note("stand-in-alike", module=name, other=ALIKE[name])
    elif name in MODULES:
        context.note("old-interface", old=f"import {name}", new=f"import {MODULES[name]}")
    else:
        return None
    return ModuleSpec(name, Present())  # type: ignore[arg-type]


def _told(function: Any, old: str, new: str, context: Context) -> Any:
    @functools.wraps(function, updated=())
    def call(*args: Any, **options: Any) -> Any:
        context.note("old-interface", old=old, new=new)
        return function(*args, **options)

    return call


def _taking(function: Any, arguments: dict[str, str], name: str, context: Context) -> Any:
    original = getattr(function, "__of_its_age__", function)
    code = getattr(original, "__code__", None)
    taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code is not None else ()
    placing = "module" in taken  # whose a class is that it makes

    @functools.wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        if placing:
            options.setdefault("module", sys._getframe(1).f_globals.get("__name__"))
        try:
            return original(*args, **options)
        except TypeError:
            if not options.keys() & arguments.keys():
                raise
            placed = [options[key] for key, new in arguments.items() if new == "*" and key in options]
            kept = {key: value for key, value in options.items() if arguments.get(key, key) != "*"}
            present = {arguments.get(key, key): value for key, value in kept.items() if arguments.get(key, key)}
            for key in options.keys() & arguments.keys():
                context.note(
                    "old-interface",
                    old=f"{name}({key}=…)",
                    new=f"{name}({arguments[key].strip('*')}=…)".replace("(=…)", "(…)"),
                )
            return original(*args, *placed, **present)

    call.__of_its_age__ = original  # type: ignore[attr-defined]
    return call


def _giving(function: Any, argument: str, named: str, value: object, context: Context) -> Any:
    """A function that takes its first argument alone, as it once did."""
    original = getattr(function, "__of_its_age__", function)

    @functools.wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        if len(args) + len(options) > 1:
            return original(*args, **options)
        called = f"{named.partition('.')[0]}.{original.__name__}"
        context.note("old-interface", old=f"{called}(file)", new=f"{called}(file, {argument}={named})")
        return original(*args, **options, **{argument: value})

    call.__of_its_age__ = original  # type: ignore[attr-defined]
    return call


def _made_anew(kind: Any, context: Context) -> None:
    """Give the fields of a class whose default is another instance that cannot be hashed one that makes it: Python 3.11
    refuses these."""
    for name in vars(kind).get("__annotations__", {}):
        default = vars(kind).get(name)
        if dataclasses.is_dataclass(default) and not isinstance(default, type) and type(default).__hash__ is None:
            called = type(default).__name__
            context.note("old-interface", old=f"{name} = {called}()", new=f"{name} = field(default_factory={called})")
            setattr(kind, name, dataclasses.field(default_factory=functools.partial(copy.deepcopy, default)))


def _mixed(rows: Any) -> bool:
    """Whether rows of equal length each hold several kinds of things: transitions, which NumPy once put into a table
    of objects. Places of a memory that are not filled yet are plain numbers.

    >>> _mixed([([1.0, 2.0], 3, True), ([4.0, 5.0], 6, False)]), _mixed([[1, 2, 3], [3]]), _mixed([[[1], 2, 3], 0])
    (True, False, True)
    """
    rows = [row for row in rows if not (row is None or type(row) is int)] if isinstance(rows, (list, tuple)) else []
    if not rows or not all(isinstance(row, (list, tuple)) for row in rows):
        return False
    kinds = {tuple(hasattr(part, "__len__") for part in row) for row in rows}
    return len(kinds) == 1 and len(first := next(iter(kinds))) > 2 and len({*first}) == 2


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for what NumPy, loaders and Python itself no longer have, while the body runs."""
    import numpy

    gone = getattr(numpy, "__getattr__", None)

    def __getattr__(name: str) -> Any:
        if name in NOT_ITS_OWN:
            present, value = NOT_ITS_OWN[name]
            context.note("old-interface", old=f"np.{name}", new=present)
            return value
        new = NUMPY.get(name)
        if new is None:
            return gone(name)
        present = name if new == "builtins" else f"np.{new}"
        context.note("old-interface", old=f"np.{name}", new=present)
        return getattr(builtins if new == "builtins" else numpy, name if new == "builtins" else new)

    def abstract(name: str) -> Any:
        own = is_user_file(sys._getframe(1).f_code.co_filename)
        if name.startswith("_") or not own or not hasattr(collections.abc, name):
            raise AttributeError(f"module 'collections' has no attribute {name!r}")
        context.note("old-interface", old=f"collections.{name}", new=f"collections.abc.{name}")
        return getattr(collections.abc, name)

    def following(self: Any) -> Any:
        context.note("old-interface", old="iterator.next()", new="next(iterator)")
        return next(self)

    array, load = numpy.array, torch.load

    @functools.wraps(array, updated=())
    def array_of_its_age(*args: Any, **options: Any) -> Any:
        try:
            return array(*args, **options)
        except ValueError:
            if options.get("copy") is False:
                context.note("old-interface", old="np.array(x, copy=False)", new="np.asarray(x)")
                return array(*args, **{**options, "copy": None})
            rows, kind = args[0] if args else None, options.get("dtype", args[1] if len(args) > 1 else None)
            uneven = isinstance(rows, (list, tuple)) and (context.made is not None or context.guess.beyond)
            if kind is not None or not (uneven or _mixed(rows)):
                raise
            old = "np.array(x" if _mixed(rows) else "np.array([[a], [b, c]]"
            context.note("old-interface", old=f"{old})", new=f"{old}, dtype=object)")
            return array(args[0], dtype=object)

    @functools.wraps(load)
    def load_whole(f: Any, *args: Any, **options: Any) -> Any:
        import pickle

        try:
            return load(f, *args, **options)
        except pickle.UnpicklingError:
            if "weights_only" in options:
                raise
            if hasattr(f, "seek"):
                f.seek(0)
            context.note("old-interface", old="torch.load(file)", new="torch.load(file, weights_only=False)")
            return load(f, *args, weights_only=False, **options)

    sample = random.sample

    @functools.wraps(sample)
    def sample_of_its_age(population: Any, *args: Any, **options: Any) -> Any:
        if isinstance(population, collections.abc.Set):
            context.note("old-interface", old="random.sample(set, k)", new="random.sample(list(set), k)")
            population = list(population)
        return sample(population, *args, **options)

    process = dataclasses._process_class  # type: ignore[attr-defined]

    @functools.wraps(process)
    def process_of_its_age(cls: Any, *args: Any, **options: Any) -> Any:
        if is_user_file(getattr(sys.modules.get(cls.__module__), "__file__", None) or ""):
            _made_anew(cls, context)
        return process(cls, *args, **options)

    def counted(optimizer: torch.optim.Optimizer, *_: object) -> None:
        """Steps that a script counts in whole numbers for an optimizer of torch's, which counts them in tensors."""
        if isinstance(optimizer, torch.optim.SparseAdam) or not type(optimizer).step.__module__.startswith("torch."):
            return
        for state in optimizer.state.values():
            if type(state.get("step")) not in (int, float):
                return
            state["step"] = torch.tensor(float(state["step"]))
            context.note("old-interface", old="state['step'] = 0", new="state['step'] = torch.tensor(0.0)")

    counting = register_optimizer_step_pre_hook(counted)
    random.sample, dataclasses._process_class = sample_of_its_age, process_of_its_age  # type: ignore[attr-defined]
    if gone is not None:
        numpy.__getattr__ = __getattr__  # type: ignore[attr-defined]
    collections.__getattr__ = abstract  # type: ignore[attr-defined]
    _BaseDataLoaderIter.next, torch.load = following, load_whole  # type: ignore[attr-defined]
    numpy.array = array_of_its_age  # type: ignore[assignment]
    try:
        yield
    finally:
        numpy.array, random.sample = array, sample
        dataclasses._process_class = process  # type: ignore[attr-defined]
        del collections.__getattr__  # type: ignore[attr-defined]
        if gone is not None:
            numpy.__getattr__ = gone  # type: ignore[attr-defined]
        counting.remove()
        del _BaseDataLoaderIter.next  # type: ignore[attr-defined]
        torch.load = load
