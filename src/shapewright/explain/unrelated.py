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
            "en": "The FutureWarning about `resume_download` is unrelated: downloads now resume by themselves.",
            "es": "El FutureWarning sobre `resume_download` no tiene relación: las descargas ya se reanudan solas.",
            "ja": "`resume_download` の FutureWarning は無関係です。ダウンロードの再開は今では自動です。",
        },
    ),
    (
        r"clean_up_tokenization_spaces",
        {
            "en": (
                "The warning about `clean_up_tokenization_spaces` is unrelated: it announces a change of how text is "
                "decoded."
            ),
            "es": (
                "El aviso sobre `clean_up_tokenization_spaces` no tiene relación: anuncia un cambio al decodificar "
                "texto."
            ),
            "ja": "`clean_up_tokenization_spaces` の警告は無関係です。テキストの復元方法の変更予告です。",
        },
    ),
    (
        r"TypedStorage is deprecated",
        {
            "en": "The warning about TypedStorage is unrelated: it concerns PyTorch's internals.",
            "es": "El aviso sobre TypedStorage no tiene relación: afecta al interior de PyTorch.",
            "ja": "TypedStorage の警告は無関係です。PyTorch 内部の話です。",
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
                "The note about newly initialized weights is unrelated: it only says that a new head still has to "
                "be trained."
            ),
            "es": (
                "La nota sobre pesos recién inicializados no tiene relación: solo dice que una cabeza nueva aún "
                "debe entrenarse."
            ),
            "ja": (
                "重みが新しく初期化されたという通知は無関係です。新しいヘッドはこれから学習が"
                "必要だと伝えているだけです。"
            ),
        },
    ),
)


def unrelated_warnings(text: str, lang: str) -> tuple[str, ...]:
    """One sentence for each such warning that stands in `text`."""
    return tuple(said[lang] for pattern, said in WARNINGS if re.search(pattern, text))
