"""Stands for ConfigArgParse where it is not installed: argparse, whose arguments may come of a file of settings too.
The settings that the script itself names are read, in the simplest form that they have: a name, `=` or `:`, a value."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import *  # noqa: F403 (it has all that argparse has)
from typing import Any

OWN = frozenset({"is_config_file", "is_config_file_arg", "is_write_out_config_file_arg", "env_var"})
MARK = ("#", ";", "[", "-")  # with which a line begins that sets nothing


class ArgumentParser(argparse.ArgumentParser):
    """A parser that reads files of settings."""

    def __init__(self, *args: Any, default_config_files: Any = (), **options: Any) -> None:
        kept = {name: value for name, value in options.items() if not name.startswith(("config_", "ignore_", "auto_"))}
        kept = {name: value for name, value in kept.items() if name not in ("args_for_setting_config_path",)}
        super().__init__(*args, **kept)
        self._files, self._named = list(default_config_files), []

    def add_argument(self, *args: Any, **options: Any) -> Any:
        """An argument; one that names a file of settings is read where it is given."""
        made = super().add_argument(*args, **{name: value for name, value in options.items() if name not in OWN})
        if options.keys() & {"is_config_file", "is_config_file_arg"}:
            self._named.append(made.dest)
        return made

    add = add_arg = add_argument

    def parse_known_args(self, args: Any = None, namespace: Any = None, **_: Any) -> Any:
        """The arguments, over what the files say."""
        found, rest = super().parse_known_args(args, namespace)
        files = [*self._files, *(getattr(found, name) for name in self._named)]
        words = [word for file in files if file and os.path.isfile(file) for word in self._settings(file)]
        given = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args([*words, *given], namespace) if words else (found, rest)

    def parse_args(self, args: Any = None, namespace: Any = None, **_: Any) -> Any:
        """The arguments, over what the files say."""
        return self.parse_known_args(args, namespace)[0]

    def _settings(self, file: str) -> list[str]:
        """The words of a file that this parser knows."""
        words: list[str] = []
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                name, mark, text = (line.replace(":", "=", 1) if "=" not in line else line).partition("=")
                flag = f"--{name.strip()}"
                action = self._option_string_actions.get(flag)
                if not line.strip() or line.strip().startswith(MARK) or action is None:
                    continue
                text = text.strip().strip("\"'")
                if action.nargs != 0:
                    words += [flag, *(text.strip("[]").replace(",", " ").split() if action.nargs else [text])]
                elif not mark or text.lower() in ("true", "yes", "1"):
                    words.append(flag)
        return words


ArgParser = Parser = ArgumentParser
