"""`from_pretrained(name)` of models whose weights are not on this machine: the true configuration, cheap weights."""

from __future__ import annotations

import copy
import os
from types import ModuleType
from typing import Any

from ..context import Context
from ..depth import shorten
from ..weights import cheap_weights, fill

_WEIGHTS = (
    "model.safetensors",
    "pytorch_model.bin",
    "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
    "adapter_config.json",
)
_LOADING = (
    "cache_dir",
    "ignore_mismatched_sizes",
    "force_download",
    "local_files_only",
    "token",
    "use_auth_token",
    "revision",
    "use_safetensors",
    "weights_only",
    "proxies",
    "resume_download",
    "device_map",
    "max_memory",
    "offload_folder",
    "offload_state_dict",
    "offload_buffers",
    "low_cpu_mem_usage",
    "subfolder",
    "variant",
    "_commit_hash",
    "_from_auto",
    "_from_pipeline",
    "adapter_kwargs",
    "adapter_name",
    "gguf_file",
    "tp_plan",
    "tp_size",
    "device_mesh",
    "trust_remote_code",
    "code_revision",
    "_fast_init",
    "mirror",
    "state_dict",
    "key_mapping",
    "generation_config",
    "load_in_8bit",
    "load_in_4bit",
    "quantization_config",
    "use_kernels",
    "from_tf",
    "from_flax",
    "disable_mmap",
    "fusion_config",
    "distributed_config",
    "tqdm_class",
    "kernel_config",
    "allow_all_kernels",
    "experts_implementation",
)


def _has_weights(name: Any, subfolder: str) -> bool:
    if os.path.exists(str(name)):
        folder = os.path.join(str(name), subfolder)
        files = os.listdir(folder) if os.path.isdir(folder) else ["config.json", "weights.bin"]
        return "config.json" not in files or any(
            file.endswith((".safetensors", ".bin", ".index.json", ".gguf")) for file in files
        )
    from huggingface_hub import try_to_load_from_cache

    return any(isinstance(try_to_load_from_cache(str(name), os.path.join(subfolder, file)), str) for file in _WEIGHTS)


def _dtype(asked: Any, config: Any, new_style: bool) -> Any:
    """The dtype that loading would give: transformers 5 takes the configuration's own where none is asked, 4 takes
    float32."""
    import torch

    if asked is None:
        asked = "auto" if new_style else torch.float32
    if asked == "auto":
        asked = getattr(config, "dtype", None) if new_style else getattr(config, "torch_dtype", None)
    if isinstance(asked, str):
        asked = getattr(torch, asked.removeprefix("torch."))
    return asked if isinstance(asked, torch.dtype) else torch.float32


def patch(module: ModuleType, context: Context) -> None:
    """Replace the class method of the common base class."""
    base = module.PreTrainedModel
    original = base.from_pretrained.__func__
    import transformers

    new_style = int(transformers.__version__.split(".")[0]) >= 5

    def from_pretrained(cls: Any, name: Any = None, *args: Any, config: Any = None, **options: Any) -> Any:
        name = options.pop("pretrained_model_name_or_path", name)
        if not context.active or name is None or _has_weights(name, options.get("subfolder") or ""):
            return original(cls, name, *args, config=config, **options)
        import torch

        information = options.pop("output_loading_info", False)
        asked = options.pop("dtype", None)
        old = options.pop("torch_dtype", None)
        attention = options.pop("attn_implementation", None)
        located = {key: options[key] for key in ("cache_dir", "subfolder", "revision") if options.get(key) is not None}
        options = {key: value for key, value in options.items() if key not in _LOADING}
        known = config is not None and not isinstance(config, (str, os.PathLike))
        if not known:
            config, options = cls.config_class.from_pretrained(
                config or name, return_unused_kwargs=True, **located, **options
            )
        config = copy.deepcopy(config)
        if attention is not None and attention != "flash_attention_2":
            config._attn_implementation = attention
        kept = shorten(config, context)
        dtype = _dtype(asked if asked is not None else old, config, new_style)
        before = torch.get_default_dtype()
        torch.set_default_dtype(dtype)
        try:
            with cheap_weights():
                model = cls(config, *args, **options)
        finally:
            torch.set_default_dtype(before)
        fill(model)
        model._shapewright_made_up = True
        model.tie_weights()
        config.name_or_path = str(name)
        model.name_or_path = str(name)
        model.eval()
        context.note("stand-in-model", name=name, width=_width(config))
        if kept:
            context.note("fewer-layers", name=name, kept=kept[1], real=kept[0])
        if information:
            return model, {"missing_keys": [], "unexpected_keys": [], "mismatched_keys": [], "error_msgs": []}
        return model

    from_pretrained.__doc__ = original.__doc__
    base.from_pretrained = classmethod(from_pretrained)
    save = base.save_pretrained

    def save_pretrained(self: Any, save_directory: Any, *args: Any, **options: Any) -> Any:
        if not getattr(self, "_shapewright_made_up", False):
            return save(self, save_directory, *args, **options)
        self.config.save_pretrained(
            save_directory
        )  # made-up weights are worth no 500 MB of disk; loading makes them up again
        return None

    base.save_pretrained = save_pretrained


def _width(config: Any) -> str:
    for key in ("hidden_size", "d_model", "n_embd", "hidden_sizes", "projection_dim"):
        value = getattr(config, key, None)
        if isinstance(value, (int, list, tuple)):
            return f"{key}={value}"
    return config.model_type
