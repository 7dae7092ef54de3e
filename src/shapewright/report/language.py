"""Which language to answer in: `--lang`, else the locale, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

LANGUAGES = ("en", "es", "ja")


def language(wanted: str = "", environ: Mapping[str, str] | None = None) -> str:
    """`en`, `es` or `ja`. `wanted` is a code or locale name (`es`, `ja_JP.UTF-8`); empty asks LC_ALL, LC_MESSAGES and
    LANG in turn, where the first that is set decides. Raises `ValueError` for a wanted language that there is not.

    >>> language("es_MX"), language("", {"LC_ALL": "", "LANG": "ja_JP.UTF-8"}), language("", {"LANG": "de_DE"})
    ('es', 'ja', 'en')
    """
    if wanted:
        code = wanted.replace("-", "_").split("_")[0].split(".")[0].lower()
        if code not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, not {wanted!r}")
        return code
    environ = os.environ if environ is None else environ
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    code = locale.split("_")[0].split(".")[0].lower()
    return code if code in LANGUAGES else "en"


def said(texts: Mapping[str, Mapping[str, str]], name: str, lang: str, /, **fields: object) -> str:
    """Entry `name` of a table of texts in `lang` (English for a language that there is not), filled.

    >>> said({"line": {"en": "line {line}", "es": "línea {line}"}}, "line", "es", line=3)
    'línea 3'
    """
    return texts[name].get(lang, texts[name]["en"]).format(**fields)
