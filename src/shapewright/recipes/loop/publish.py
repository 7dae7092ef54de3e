"""A finished model's card, and its way to the hub when asked: both through huggingface_hub.

Opens no connection unless a repository was named. Checkpoints, event files and settings of the run stay here: what is
sent is what `from_pretrained` reads, and the card.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from ..settings import CommonArgs, UsageError
from . import hardware

SENT = ["README.md", "config.json", "generation_config.json", "model*.safetensors*", "token*", "*.txt", "*.jinja"]
HERE = ("log_dir", "push_to", "tracker", "progress", "overwrite", "resume", "device")


def command(name: str, args: CommonArgs) -> str:
    """The command that trains this again, with what differs from the defaults."""
    words = ["shapewright", "train", name]
    for field in fields(args):
        value = getattr(args, field.name)
        if field.name not in HERE and value != field.default:
            flag = field.name.replace("_", "-")
            words += [f"--{'' if value else 'no-'}{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]
    return shlex.join(words)


def write_card(
    folder: Path,
    name: str,
    args: CommonArgs,
    *,
    kind: str,
    data: str,
    base: str,
    figures: Mapping[str, float],
    remarks: Sequence[str] = (),
) -> None:
    """Write README.md into a model's folder.

    Args:
        kind: the class of transformers that loads it.
        data: what it was trained on.
        base: the model that it began as; empty for random weights.
        figures: of the last evaluation, by name.
    """
    from huggingface_hub import ModelCardData

    head = ModelCardData(
        library_name="transformers",
        tags=["shapewright", name],
        base_model=base if base.count("/") == 1 and not Path(base).exists() else None,
    )
    table = [f"| {key.replace('_', ' ')} | {value:.4g} |" for key, value in figures.items()]
    parts = [
        f"---\n{head.to_yaml()}\n---",
        f"# {folder.name}",
        f"Trained by the recipe `{name}` on {data}, from {base or 'random weights'}.",
        "## Use\n\n```python\n"
        f"from transformers import {kind}, AutoTokenizer\n\n"
        f'model, tokenizer = ({kind}.from_pretrained("FOLDER"), AutoTokenizer.from_pretrained("FOLDER"))\n```',
        "## Figures\n\n| of the held-out data | |\n| --- | --- |\n" + "\n".join(table),
        *remarks,
        f"## Trained by\n\n```sh\n{command(name, args)}\n```\n\n{hardware.stamp()}",
    ]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def push(folder: Path, repository: str) -> str:
    """Put a model's folder into a repository of the hub, made (private) where there is none; returns its address.

    Raises `UsageError` where the hub refuses.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    api = HfApi()
    try:
        address = api.create_repo(repository, private=True, exist_ok=True)
        api.upload_folder(repo_id=repository, folder_path=str(folder), allow_patterns=SENT)
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        raise UsageError(
            f"the hub did not take {folder} as {repository}: {str(error).splitlines()[0]}; the model is whole in the "
            f"folder"
        ) from error
    return str(address)
