"""Whether the factors by which data and noise were mixed belong together: their squares add up to 1, and both are
those of one schedule. Pure: it reads a `Mixture` and judges nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from ..trace import Mixture

ONE = 0.02  # how near to 1 a sum of powers is 1
NEAR, DISTINCT = 1e-3, 4  # the same of what was solved for; samples of different steps
UNEVEN = 1.2  # how many times as large a multiple of what it should be a share is at one step as at another
FORMS: dict[str, Callable[[float, float], tuple[float, float]]] = {
    "noise": lambda kept, product: (product, 1 - kept),
    "data": lambda kept, product: (kept, 1 - product),
    "exchanged": lambda kept, product: (1 - product, product),
}


def unmatched(told: Mixture) -> tuple[str, dict[str, object]]:
    """What is wrong with two factors, with the numbers that show it: `variance` or `power` (a root is missing in the
    factor of the noise, or of the data), `single` (one is of one step, the other of all steps up to it), `exchanged`,
    `of_noise` or `of_data` (it does not follow from the schedule that the other is of); empty where nothing is."""
    values = told.shares
    if len({round(a, 3) for a, _ in values}) < DISTINCT:
        return "", {}
    missing = "variance" if all(abs(a * a + b - 1) < NEAR and 0 < b < 1 for a, b in values) else ""
    missing = missing or ("power" if all(abs(a + b * b - 1) < NEAR and 0 < a < 1 for a, b in values) else "")
    if missing:
        return missing, _shown(*max(values))
    return (told.schedule and (_of_one_step(told) or _uneven(told))) or ("", {})


def _shown(a: float, b: float) -> dict[str, object]:
    return {"data": f"{a:.2f}", "noise": f"{b:.2f}", "sum": f"{a * a + b * b:.2f}"}


def _of_one_step(told: Mixture) -> tuple[str, dict[str, object]] | None:
    """Factors that are not those of their schedule: `sqrt(product)` of the data, `sqrt(1 - product)` of the noise."""
    rows = list(zip(told.shares, told.schedule))
    for which, form in FORMS.items():
        apart = [abs(a * a - product) + abs(b * b - 1 + product) for (a, b), (_, _, product) in rows]
        wanted = [(a * a, b * b, *form(kept, product)) for (a, b), (_, kept, product) in rows]
        if max(apart) > ONE and all(abs(a - c) < NEAR and abs(b - d) < NEAR for a, b, c, d in wanted):
            shares, (at, _, product) = rows[apart.index(max(apart))]
            kind = "exchanged" if which == "exchanged" else "single"
            return kind, _shown(*shares) | {"step": at, "kept": f"{product**0.5:.2f}"}
    return None


def _uneven(told: Mixture) -> tuple[str, dict[str, object]] | None:
    """One factor that is its schedule's, beside one that is no multiple of what the schedule leaves of the variance."""
    rows = [((a * a, b * b), (product, 1 - product)) for (a, b), (_, _, product) in zip(told.shares, told.schedule)]
    for of, other in (("noise", 0), ("data", 1)):
        own = 1 - other
        if any(abs(found[other] - wanted[other]) > NEAR for found, wanted in rows):
            continue
        pairs = [(found[own], wanted[own]) for found, wanted in rows]
        ratios = [found / wanted for found, wanted in pairs if wanted > ONE]
        apart = [abs(found - wanted) for found, wanted in pairs]
        varies = max(found for found, _ in pairs) - min(found for found, _ in pairs) > ONE
        if len(ratios) >= DISTINCT and max(ratios) > UNEVEN * min(ratios) and max(apart) > ONE and varies:
            at = apart.index(max(apart))
            fields = _shown(*told.shares[at]) | {"step": told.schedule[at][0], "right": f"{pairs[at][1] ** 0.5:.2f}"}
            return f"of_{of}", fields
    return None
