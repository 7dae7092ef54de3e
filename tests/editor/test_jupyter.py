"""The server as jupyterlab-lsp starts it."""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest


def test_jupyter_lsp_takes_the_server():
    pytest.importorskip("jupyter_lsp", reason="jupyter-lsp is not installed (pip install jupyter-lsp)")
    from jupyter_lsp.manager import LanguageServerManager
    from jupyter_lsp.schema import LANGUAGE_SERVER_SPEC_MAP

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    module, _, name = project["entry-points"]["jupyter_lsp_spec_v1"]["shapewright"].partition(":")
    specs = getattr(import_module(module), name)(None)
    assert not list(LANGUAGE_SERVER_SPEC_MAP.iter_errors(specs))
    manager = LanguageServerManager(language_servers=specs, autodetect=False)
    manager.initialize()
    assert list(manager.sessions) == ["shapewright"]
