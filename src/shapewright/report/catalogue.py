"""The rules as a list and one by one, for people: `shapewright rules`, `shapewright rule SW101`. All text comes from
the rule files."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.text import Text

from ..rules import Rule
from .page import padded, wrapped

GROUPS = {
    "loud": {
        "en": "faults that stop the script (loud)",
        "es": "detienen el script (fallos ruidosos)",
        "ja": "実行が止まる誤り (loud)",
    },
    "silent": {
        "en": "faults that do not stop the script but make its results wrong (silent)",
        "es": "no detienen el script, pero algo está mal (fallos silenciosos)",
        "ja": "動くが間違っている (silent)",
    },
    "loop": {"en": "faults of the training loop", "es": "fallos del bucle de entrenamiento", "ja": "学習ループの誤り"},
}
SECTIONS = {
    "What you see": {"es": "Qué se ve", "ja": "現れ方"},
    "What it finds": {"es": "Qué encuentra", "ja": "検出するもの"},
    "Why it hurts": {"es": "Por qué hace daño", "ja": "なぜ問題か"},
    "Example": {"es": "Ejemplo", "ja": "例"},
    "Instead": {"es": "En su lugar", "ja": "正しい書き方"},
    "Fix safety": {"es": "Seguridad del arreglo", "ja": "修正の安全性"},
}
SAYS = {"en": "Messages", "es": "Mensajes", "ja": "メッセージ"}
ENGLISH = {"es": "La explicación que sigue está solo en inglés.", "ja": "以下の解説は英語だけです。"}
ALLOW = {
    "en": "Intended? Write  # shapewright: allow {slug}  on the line.",
    "es": "¿Es a propósito? Escribe  # shapewright: allow {slug}  en la línea.",
    "ja": "意図どおりなら、その行に  # shapewright: allow {slug}  と書きます。",
}


def summary(rule: Rule) -> str:
    """The first sentence of the rule's file."""
    return " ".join((inspect.getdoc(rule.module) or "").split("\n\n")[0].split())


def headline(rule: Rule, lang: str) -> str:
    """The template of what the rule says first in `lang`."""
    messages = rule.messages.get(lang, {})
    return messages.get("message") or next(iter(messages.values()), summary(rule))


def sections(rule: Rule) -> Iterator[tuple[str, str]]:
    """`(title, body)` of each `## title` in the rule's docstring, in order."""
    for title, body in re.findall(r"^## +(.+?)\n(.*?)(?=^## |\Z)", inspect.getdoc(rule.module) or "", re.M | re.S):
        yield title.strip(), body.strip("\n").rstrip()


def shown_template(text: str) -> str:
    """A message with its fields in angle brackets.

    >>> shown_template("{layer} takes {wanted} features")
    '<layer> takes <wanted> features'
    """
    return re.sub(r"\{(\w+)[^{}]*\}", r"<\1>", text)


def listing(rules: Iterable[Rule], lang: str, width: int) -> list[Text]:
    """All rules, by group: code, slug, and what the rule says (in `lang`) or finds."""
    rules = tuple(rules)
    slugs = max((len(rule.slug) for rule in rules), default=0)
    lines: list[Text] = []
    for group, title in GROUPS.items():
        found = sorted((rule for rule in rules if rule.group == group), key=lambda rule: rule.code)
        if not found:
            continue
        lines += [*([Text("")] if lines else []), Text(title[lang], style="bold")]
        for rule in found:
            text = summary(rule) if lang == "en" else shown_template(headline(rule, lang))
            head = f"{rule.code}  {padded(rule.slug, slugs)}  "
            room = width - cell_len(head)
            if room < 30:
                lines += [
                    Text(head.rstrip(), style="cyan"),
                    *(Text("    " + line) for line in wrapped(text, width - 4)),
                ]
                continue
            lines += [
                Text.assemble((head if number == 0 else " " * len(head), "cyan"), line)
                for number, line in enumerate(wrapped(text, room))
            ]
    return lines


def rule_page(rule: Rule, lang: str, width: int) -> list[Text]:
    """One rule in full. What the rule says is in `lang`; the explanation is that of the file, in English, and the page
    tells so."""
    lines = [Text.assemble((f"{rule.code} ", "bold red"), (rule.slug, "bold"))]
    messages = rule.messages.get(lang, rule.messages.get("en", {}))
    english = [Text(line) for line in wrapped(summary(rule), width)]
    if lang == "en":
        lines += english
    lines += [Text(""), Text(SAYS[lang], style="bold cyan")]
    for text in messages.values():
        rows = wrapped(shown_template(text), width - 4)
        lines += [Text(("  " if number else "· ") + row) for number, row in enumerate(rows)]
    if lang != "en":
        lines += [Text(""), Text(ENGLISH[lang], style="dim"), *english]
    for title, body in sections(rule):
        lines += [Text(""), Text(SECTIONS.get(title, {}).get(lang, title), style="bold cyan")]
        code = title in ("Example", "Instead")
        for block in re.split(r"\n\s*\n", body):
            if code or block.startswith("    "):
                lines += [Text("  " + line) for line in block.splitlines()]
            else:
                lines += [Text("  " + line) for line in wrapped(" ".join(block.split()), width - 2)]
    lines += [Text(""), Text(ALLOW[lang].format(slug=rule.slug), style="dim")]
    return lines
