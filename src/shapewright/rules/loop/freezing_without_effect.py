"""A module is frozen or unfrozen by an attribute that means nothing to it.

## What it finds
`module.requires_grad = False` on a module (only parameters have that switch), or a misspelt one on a parameter:
`require_grad`.

## Why it hurts
Python accepts any attribute without an error. The layers are still trained, or stay frozen.

## Example
    model.features.requires_grad = False

## Instead
    model.features.requires_grad_(False)

## Fix safety
Safe: an optimizer skips parameters that have no gradient. Parameters that are unfrozen must be in one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import names_of
from ...graph.calls import bound, every
from ...graph.scopes import around
from ...graph.source import Source
from ...graph.training import of_kind, place
from ...lexicon import says
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW333"


def check(trace: Trace) -> Iterator[Facts]:
    """Every assignment to such an attribute, where a module or a parameter was seen to carry it without effect."""
    if not any(of_kind(trace, "step")):
        return
    marked = [
        module
        for module in trace.modules.values()
        if "learns" in module.config and module.config["learns"] != module.config.get("requires_grad")
    ]
    misspelt = {module.config["misspelt"] for module in trace.modules.values() if "misspelt" in module.config}
    source = Source(trace)
    for node, site in every(trace, ast.Assign):
        target, value = bound(node), node.value
        if (
            not isinstance(target, ast.Attribute)
            or not isinstance(value, ast.Constant)
            or not isinstance(value.value, bool)
        ):
            continue
        name = ast.unparse(target.value)
        if target.attr in misspelt:
            yield _facts(
                trace,
                site,
                "misspelt",
                f"{name}.{target.attr}",
                str(value.value),
                0,
                "",
                Rewrite(f"{name}.requires_grad", source.site(target, site.file)),
            )
        elif target.attr == "requires_grad" and not _parameter(source, node, target.value):
            fitting = [module for module in marked if module.config["requires_grad"] is value.value]
            if fitting:
                yield _facts(
                    trace,
                    site,
                    "module",
                    f"{name}.requires_grad",
                    str(value.value),
                    len(fitting),
                    fitting[0].kind,
                    Rewrite(f"{name}.requires_grad_({value.value})", site),
                )


def _facts(
    trace: Trace, site: Site, kind: str, name: str, value: str, count: int, layer: str, remedy: Rewrite
) -> Facts:
    optimizer = next((step for step in of_kind(trace, "optimizer")), None)
    return Facts(
        site,
        message=kind,
        why=f"{kind}_why" + ("" if kind == "misspelt" else "_on" if value == "False" else "_off"),
        fields={"name": name, "value": value, "layer": layer, "count": count},
        origins=place(trace, optimizer.site) if optimizer is not None else (),
        remedy=remedy,
    )


def _parameter(source: Source, node: ast.AST, holder: ast.expr) -> bool:
    """Whether the attribute is set on a parameter: `p` of a loop over parameters, `layer.weight`, a parameter's own
    name."""
    text = ast.unparse(holder)
    if says(text.partition("[")[0].rsplit(".", 1)[-1], "parameter"):
        return True
    loops = (one for one in around(node) if isinstance(one, ast.For) and text in names_of(one.target))
    loop = next(loops, None)
    return loop is not None and says(ast.unparse(loop.iter), "parameter")


MESSAGES = {
    "en": {
        "module": "{name} = {value} has no effect: {layer} is a module, not a parameter",
        "module_why_on": (
            "Python stores the value as a plain attribute; the parameters of the module still require gradients "
            "(modules affected: {count})"
        ),
        "module_why_off": (
            "Python stores the value as a plain attribute; the parameters of the module stay frozen (modules "
            "affected: {count})"
        ),
        "misspelt": "{name} = {value} has no effect: the attribute is called requires_grad",
        "misspelt_why": "Python accepts any new attribute without an error; the parameter is unchanged",
    },
    "es": {
        "module": "{name} = {value} no tiene efecto: {layer} es un módulo, no un parámetro",
        "module_why_on": (
            "Python guarda el valor como un atributo cualquiera; los parámetros del módulo siguen requiriendo "
            "gradiente (módulos afectados: {count})"
        ),
        "module_why_off": (
            "Python guarda el valor como un atributo cualquiera; los parámetros del módulo siguen congelados "
            "(módulos afectados: {count})"
        ),
        "misspelt": "{name} = {value} no tiene efecto: el atributo se llama requires_grad",
        "misspelt_why": "Python acepta cualquier atributo nuevo sin dar error; el parámetro queda como estaba",
    },
    "ja": {
        "module": "{name} = {value} は効きません。{layer} はパラメータではなくモジュールです",
        "module_why_on": (
            "値はただの属性として保存されるだけで、モジュールのパラメータの requires_grad は True のままです "
            "(該当するモジュール: {count} 個)"
        ),
        "module_why_off": (
            "値はただの属性として保存されるだけで、モジュールのパラメータは凍結されたままです (該当するモジュール: "
            "{count} 個)"
        ),
        "misspelt": "{name} = {value} は効きません。正しい名前は requires_grad です",
        "misspelt_why": "Python は新しい属性をエラーなしで受け入れるため、パラメータは元のままです",
    },
}
