"""An image is mirrored at random, and what belongs to it is not.

## What it finds
A data set that, read with other random numbers, gives a sample's image mirrored and leaves as it was a map of the same
extent (a mask, depths), or numbers that give the position of something in the image (a point, a box). The samples prove
it: the numbers follow the positions in the images.

## Why it hurts
The mirrored samples show the thing on one side and are labelled with the other.

## Example
    if random.random() < 0.5:
        image = image.flip(-1)

## Instead
    if random.random() < 0.5:
        image, mask = image.flip(-1), mask.flip(-1)

## Fix safety
A class, an age, or any number that does not depend on the place is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import Trace
from ..facts import Facts

code = "SW245"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such data set."""
    for one in trace.data.turned:
        yield Facts(
            one.site,
            message=one.kind,
            fields={"owner": one.owner, "part": one.part, "beside": one.beside},
        )


MESSAGES = {
    "en": {
        "map": "{owner} mirrors element {part} of a sample, but not element {beside}, which belongs to the same image",
        "place": (
            "{owner} mirrors element {part} of a sample, but not element {beside}, which holds positions in that image"
        ),
        "why": (
            "the first sample was read with several seeds: in one reading the image is mirrored and element "
            "{beside} is unchanged (elements are counted from 0)"
        ),
    },
    "es": {
        "map": (
            "{owner} refleja el elemento {part} de una muestra, pero no el elemento {beside}, que pertenece a la "
            "misma imagen"
        ),
        "place": (
            "{owner} refleja el elemento {part} de una muestra, pero no el elemento {beside}, que contiene "
            "posiciones en esa imagen"
        ),
        "why": (
            "se leyó la primera muestra con varias semillas: en una lectura la imagen sale reflejada y el elemento "
            "{beside} no cambia (los elementos se cuentan desde 0)"
        ),
    },
    "ja": {
        "map": "{owner} はサンプルの {part} 番目の要素を反転しますが、同じ画像に対応する {beside} 番目は反転しません",
        "place": (
            "{owner} はサンプルの {part} 番目の要素を反転しますが、その画像の中の位置を表す {beside} 番目は変えません"
        ),
        "why": (
            "最初のサンプルを複数のシードで読むと、画像が反転しても、"
            "サンプルの {beside} 番目の要素は変わらないことがありました (番号は 0 始まり)"
        ),
    },
}
