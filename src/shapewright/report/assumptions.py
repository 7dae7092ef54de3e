"""What a run may have made up, as sentences: one entry per kind, in alphabetical order, the same named fields in every language."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "fewer-layers": {
        "en": "{name} was built with {kept} of its {real} layers; every width is the real one",
        "es": "{name} se construyó con {kept} de sus {real} capas; todas las anchuras son las reales",
        "ja": "{name} は {real} 層のうち {kept} 層だけで構築しました。各次元の大きさは本物と同じです",
    },
    "rule-failed": {
        "en": "rule {rule} could not be applied ({error}); what it looks for was not checked",
        "es": "la regla {rule} no se pudo aplicar ({error}); lo que busca quedó sin comprobar",
        "ja": "ルール {rule} を適用できませんでした ({error})。その項目は未検査です",
    },
    "stand-in-model": {
        "en": "{name} is not on this machine: built from its public configuration ({width}) with made-up weights",
        "es": "{name} no está en esta máquina: se construyó con su configuración pública ({width}) y pesos inventados",
        "ja": "{name} はこのマシンに無いため、公開されている設定 ({width}) と仮の重みで構築しました",
    },
    "stand-in-module": {
        "en": "{module} is not installed; a small stand-in answered for it",
        "es": "{module} no está instalado; lo sustituyó un pequeño reemplazo",
        "ja": "{module} は未インストールのため、簡易な代用品で実行しました",
    },
    "stand-in-tokenizer": {
        "en": "the tokenizer of {name} is not on this machine: a small vocabulary with the real special tokens and size answered for it",
        "es": "el tokenizador de {name} no está en esta máquina: lo sustituyó un vocabulario pequeño con los tokens especiales y el tamaño reales",
        "ja": "{name} のトークナイザはこのマシンに無いため、特殊トークンと語彙サイズが本物と同じ簡易な語彙で代用しました",
    },
    "unknown-model": {
        "en": "{name} is neither on this machine nor in the table of public models",
        "es": "{name} no está en esta máquina ni en la tabla de modelos públicos",
        "ja": "{name} はこのマシンにも公開モデルの表にもありません",
    },
}
