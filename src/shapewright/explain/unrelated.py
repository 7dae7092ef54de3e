"""Warnings that often stand above a failure and have nothing to do with it."""

from __future__ import annotations

import re

WARNINGS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        r"_register_pytree_node",
        {
            "en": (
                "The FutureWarning about `_register_pytree_node` has nothing to do with this error: one library "
                "calls another by an old name."
            ),
            "es": (
                "El FutureWarning sobre `_register_pytree_node` no tiene relación con este error: una biblioteca "
                "llama a otra por un nombre antiguo."
            ),
            "ja": (
                "`_register_pytree_node` の FutureWarning はこのエラーと無関係です。あるライブラリが別のライブラリを"
                "古い名前で呼んでいるだけです。"
            ),
        },
    ),
    (
        r"resume_download",
        {
            "en": "The FutureWarning about `resume_download` has nothing to do with this error: downloads now resume "
            "when possible.",
            "es": (
                "El FutureWarning sobre `resume_download` no tiene relación con este error: las descargas ya se "
                "reanudan cuando es posible."
            ),
            "ja": "`resume_download` の FutureWarning はこのエラーと無関係です。ダウンロードは今では可能なら自動で再"
            "開されます。",
        },
    ),
    (
        r"clean_up_tokenization_spaces",
        {
            "en": (
                "The warning about `clean_up_tokenization_spaces` has nothing to do with this error: it announces a "
                "new default value for decoding text."
            ),
            "es": (
                "El aviso sobre `clean_up_tokenization_spaces` no tiene relación con este error: anuncia otro valor "
                "por defecto al decodificar texto."
            ),
            "ja": "`clean_up_tokenization_spaces` の警告はこのエラーと無関係です。テキストに復号するときの既定値が変"
            "わることの予告です。",
        },
    ),
    (
        r"TypedStorage is deprecated",
        {
            "en": "The warning about TypedStorage has nothing to do with this error: it matters only to code that "
            "uses storages directly.",
            "es": "El aviso sobre TypedStorage no tiene relación con este error: solo afecta al código que usa "
            "storages directamente.",
            "ja": "TypedStorage の警告はこのエラーと無関係です。storage を直接使うコードにだけ関係します。",
        },
    ),
    (
        r"torch\.load` with `weights_only=False`",
        {
            "en": (
                "The FutureWarning about `weights_only` has nothing to do with this error, but take it seriously: "
                "loading a pickle file can run any code."
            ),
            "es": (
                "El FutureWarning sobre `weights_only` no tiene relación con este error, pero conviene atenderlo: "
                "cargar un archivo pickle puede ejecutar cualquier código."
            ),
            "ja": (
                "`weights_only` の FutureWarning はこのエラーと無関係ですが、無視しないでください。pickle ファイルの"
                "読み込みでは、任意のコードが実行されるおそれがあります。"
            ),
        },
    ),
    (
        r"TOKENIZERS_PARALLELISM",
        {
            "en": "The message about TOKENIZERS_PARALLELISM has nothing to do with this error: it is about worker "
            "processes, not about shapes.",
            "es": "El mensaje sobre TOKENIZERS_PARALLELISM no tiene relación con este error: trata de procesos de "
            "trabajo, no de formas.",
            "ja": "TOKENIZERS_PARALLELISM のメッセージはこのエラーと無関係です。ワーカープロセスについてのもので、形"
            "状についてのものではありません。",
        },
    ),
    (
        r"Some weights of .{1,80} were not initialized from the model checkpoint",
        {
            "en": (
                "The note about newly initialized weights has nothing to do with this error: it only says that the "
                "checkpoint does not contain these weights, so they are untrained."
            ),
            "es": (
                "La nota sobre pesos recién inicializados no tiene relación con este error: solo dice que esos pesos "
                "no están en el checkpoint y que están sin entrenar."
            ),
            "ja": (
                "重みが新しく初期化されたという通知はこのエラーと無関係です。その重みがチェックポイントになく、未学習"
                "であることを伝えているだけです。"
            ),
        },
    ),
)


def unrelated_warnings(text: str, lang: str) -> tuple[str, ...]:
    """One sentence for each such warning that stands in `text`."""
    return tuple(said[lang] for pattern, said in WARNINGS if re.search(pattern, text))
