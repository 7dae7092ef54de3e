"""Why a run ended before its end, as sentences: one entry per reason, in alphabetical order, the same named fields in every language."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "empty-folder": {
        "en": "the folder {file} holds no Python script",
        "es": "la carpeta {file} no contiene ningún script de Python",
        "ja": "フォルダ {file} に Python スクリプトがありません",
    },
    "missing-file": {
        "en": "there is no file {file}",
        "es": "no existe el archivo {file}",
        "ja": "ファイル {file} がありません",
    },
    "not-utf8": {
        "en": "{file} is not UTF-8 text, so it is no Python source",
        "es": "{file} no es texto UTF-8, así que no es código Python",
        "ja": "{file} は UTF-8 のテキストではないため、Python のソースとして読めません",
    },
    "syntax-error": {
        "en": "{file} has a syntax error in line {line}: {message}",
        "es": "{file} tiene un error de sintaxis en la línea {line}: {message}",
        "ja": "{file} の {line} 行目に構文エラーがあります: {message}",
    },
    "unreadable-file": {
        "en": "{file} cannot be read: {error}",
        "es": "no se puede leer {file}: {error}",
        "ja": "{file} を読めません: {error}",
    },
}
