"""Warnings that often stand above a failure and have nothing to do with it."""

from __future__ import annotations

import re

WARNINGS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        r"_register_pytree_node",
        {
            "en": (
                "The FutureWarning about `_register_pytree_node` is unrelated: one library calls another by an old "
                "name."
            ),
            "es": (
                "El FutureWarning sobre `_register_pytree_node` no tiene relación: una biblioteca llama a otra por un "
                "nombre antiguo."
            ),
            "ja": (
                "`_register_pytree_node` の FutureWarning は無関係です。"
                "ライブラリ同士が古い名前で呼び合っているだけです。"
            ),
        },
    ),
    (
        r"resume_download",
        {
            "en": "The FutureWarning about `resume_download` is unrelated: downloads now resume when possible.",
            "es": (
                "El FutureWarning sobre `resume_download` no tiene relación: las descargas ya se reanudan cuando es "
                "posible."
            ),
            "ja": "`resume_download` の FutureWarning は無関係です。ダウンロードは今では可能なら自動で再開されます。",
        },
    ),
    (
        r"clean_up_tokenization_spaces",
        {
            "en": (
                "The warning about `clean_up_tokenization_spaces` is unrelated: it announces a new default for "
                "decoding text."
            ),
            "es": (
                "El aviso sobre `clean_up_tokenization_spaces` no tiene relación: anuncia otro valor por defecto al "
                "decodificar texto."
            ),
            "ja": "`clean_up_tokenization_spaces` の警告は無関係です。テキストを復元するときの既定値の変更予告です。",
        },
    ),
    (
        r"TypedStorage is deprecated",
        {
            "en": "The warning about TypedStorage is unrelated: it matters only to code that uses storages directly.",
            "es": "El aviso sobre TypedStorage no tiene relación: solo afecta al código que usa storages directamente.",
            "ja": "TypedStorage の警告は無関係です。storage を直接使うコードにだけ関係します。",
        },
    ),
    (
        r"torch\.load` with `weights_only=False`",
        {
            "en": (
                "The FutureWarning about `weights_only` is unrelated to the failure, but heed it: unpickling a file "
                "can run code."
            ),
            "es": (
                "El FutureWarning sobre `weights_only` no causó el fallo, pero conviene atenderlo: leer un pickle "
                "puede ejecutar código."
            ),
            "ja": (
                "`weights_only` の FutureWarning は今回の失敗とは無関係ですが、無視しないでください。pickle "
                "の読み込みはコードを実行し得ます。"
            ),
        },
    ),
    (
        r"TOKENIZERS_PARALLELISM",
        {
            "en": "The message about TOKENIZERS_PARALLELISM is unrelated: it concerns worker processes, not shapes.",
            "es": "El mensaje sobre TOKENIZERS_PARALLELISM no tiene relación: trata de procesos, no de formas.",
            "ja": "TOKENIZERS_PARALLELISM のメッセージは無関係です。プロセスの話で、形状の話ではありません。",
        },
    ),
    (
        r"Some weights of .{1,80} were not initialized from the model checkpoint",
        {
            "en": (
                "The note about newly initialized weights is unrelated: it only says that the checkpoint does "
                "not contain them, so they start untrained."
            ),
            "es": (
                "La nota sobre pesos recién inicializados no tiene relación: solo dice que no están en el "
                "checkpoint y que empiezan sin entrenar."
            ),
            "ja": (
                "重みが新しく初期化されたという通知は無関係です。チェックポイントに含まれず、未学習で"
                "始まると伝えているだけです。"
            ),
        },
    ),
)


def unrelated_warnings(text: str, lang: str) -> tuple[str, ...]:
    """One sentence for each such warning that stands in `text`."""
    return tuple(said[lang] for pattern, said in WARNINGS if re.search(pattern, text))
