"""What goes wrong while a person's model is loaded, as one sentence for the person."""

import contextlib
import pickle
from collections.abc import Iterator
from pathlib import Path

from safetensors import SafetensorError

from shapewright.recipes.settings import UsageError


@contextlib.contextmanager
def one_sentence(name: str) -> Iterator[None]:
    """Around the loading of the model `name`.

    Raises:
        UsageError: in place of what transformers, tokenizers, safetensors and pickle raise for a folder or name that is
        no model.
    """
    if Path(name).is_dir() and not Path(name, "config.json").is_file():
        raise UsageError(f"there is no model in {name}: it has no config.json")
    try:
        yield
    except UsageError:
        raise
    except pickle.UnpicklingError as error:
        raise UsageError(
            f"{name} holds pickled Python objects, not only weights, and is not loaded: unpickling runs code that "
            f"stands in the file. "
            "Where it was made, save_pretrained writes safetensors"
        ) from error
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        raise UsageError(f"the model {name} cannot be loaded: {lines[0]}") from error
