"""view, reshape, unflatten, split, narrow: the number of elements and the order in memory."""

from ..arithmetic import divisors_near, numbers, product, times
from ..model import Message


def _view(field: dict[str, str]) -> dict[str, object]:
    sizes, count = numbers(field["shape"]), int(field["count"])
    known = [size for size in sizes if size >= 0]
    given = product(known)
    free = -1 in sizes
    rows: dict[str, object] = {
        "given": f"{times(known)} = {given}" if len(known) > 1 else given,
        "fixed": "",
        "free": "",
        "near": "",
    }
    rows["exact"], rows["multiple"] = ("", rows["given"]) if free else (rows["given"], "")
    if free and given:
        rows["free"] = f"{count} / {given} = {count / given:.4g}"
    elif not free:
        rows["fixed"] = f"{given} ≠ {count}"
    fitting = [
        f"{size} → {' / '.join(map(str, near))}"
        for at, size in enumerate(known)
        if size > 1
        for rest in [product(known[:at] + known[at + 1 :])]
        if (
            near := (
                [n for n in divisors_near(count, size) if n > 1]
                if free and rest == 1
                else divisors_near(count // rest, size)
                if free and rest and count % rest == 0
                else [count // rest]
                if not free and rest and count % rest == 0
                else []
            )
        )
    ]
    rows["near"] = "; ".join(fitting[:3])
    return rows


MESSAGES = (
    Message(
        "view-free-axes",
        (r"only one dimension can be inferred", r"invalid shape dimension (?P<have>-\d+)"),
        (
            "At most one size in view or reshape may be -1; it follows from the others.",
            "Here more than one size is -1, or one is a different negative number.\nThe call was given {have}.",
            "Two sizes were left open, or a computed size came out negative.",
            "Write all sizes but one: x.view(x.size(0), -1).",
        ),
        (
            "En view o reshape puede ser -1 un tamaño como mucho; se calcula a partir de los demás.",
            "Aquí hay más de un -1, u otro número negativo.\nLa llamada recibió {have}.",
            "Se dejaron abiertos dos tamaños, o un tamaño calculado salió negativo.",
            "Escribe todos los tamaños menos uno: x.view(x.size(0), -1).",
        ),
        (
            "view や reshape で -1 にできる軸は 1 つだけで、そのサイズは残りから決まります。",
            "-1 が複数あるか、別の負の数が渡されています。\n渡されたのは {have} です。",
            "2 つのサイズを未定にしたか、計算したサイズが負になっています。",
            "1 つを除いてすべて書きます: x.view(x.size(0), -1)。",
        ),
    ),
    Message(
        "split-lengths",
        (r"Sum of input lengths does not equal the length of the input dataset",),
        (
            "random_split expects lengths that add up to the dataset's length, or fractions that add up to 1.",
            "Here they add up to neither.",
            "Each length was rounded down by itself: int(0.8 * n) + int(0.2 * n) may be n - 1.\nLengths were written "
            "for another version of the data.",
            "Compute the last length as the remainder: [a, len(data) - a], or pass fractions: random_split(data, [0.8, "
            "0.2]).",
        ),
        (
            "random_split espera longitudes que sumen la del conjunto de datos, o fracciones que sumen 1.",
            "Aquí no suman ni lo uno ni lo otro.",
            "Cada longitud se redondeó por su cuenta: int(0.8 * n) + int(0.2 * n) puede dar n - 1.\nLas longitudes son "
            "de otra versión de los datos.",
            "Calcula la última longitud como el resto: [a, len(datos) - a], o da fracciones: random_split(datos, [0.8, "
            "0.2]).",
        ),
        (
            "random_split の長さは、合計がデータセットの長さか、割合なら合計が 1 でなければなりません。",
            "ここでは、どちらの合計にもなっていません。",
            "それぞれを切り捨てています: int(0.8 * n) + int(0.2 * n) は n - 1 になり得ます。"
            "\n別の版のデータに合わせた長さが書かれています。",
            "最後の長さは残りの数とします: [a, len(data) - a]。または割合を渡します: random_split(data, [0.8, 0.2])。",
        ),
    ),
    Message(
        "view-count",
        (r"shape '(?P<shape>\[[^\]]*\])' is invalid for input of size (?P<count>\d+)",),
        (
            "view and reshape keep the number of elements; a -1 is inferred if the product of the other sizes "
            "divides that number.",
            "The number of elements is {count}; the shape {shape} needs {exact}.\nThe number of elements is {count}; "
            "the shape {shape} needs a multiple of {multiple}.",
            "The product does not match: {fixed}.\nThe -1 would be {free}.\nWith one factor changed it would match: "
            "{near}.\nA size is written by hand (the batch, or channels·height·width after the convolutions) and "
            "the real one differs, often in the last, smaller batch.",
            "Write x.view(x.size(0), -1) or flatten(1) instead of a hard-coded size, and size the next layer for "
            "the result.",
        ),
        (
            "view y reshape conservan el número de elementos; un -1 se deduce si el producto de los demás tamaños "
            "divide ese número.",
            "El número de elementos es {count}; la forma {shape} necesita {exact}.\nEl número de elementos es "
            "{count}; la forma {shape} necesita un múltiplo de {multiple}.",
            "El producto no coincide: {fixed}.\nEl -1 sería {free}.\nCambiando un factor coincidiría: {near}.\nHay "
            "un tamaño escrito a mano (el lote, o canales·alto·ancho tras las convoluciones) y el real es otro, a "
            "menudo en el último lote, más pequeño.",
            "Escribe x.view(x.size(0), -1) o flatten(1) en vez de un tamaño fijo, y dimensiona la capa siguiente "
            "para el resultado.",
        ),
        (
            "view と reshape は要素数を変えません。-1 は、要素数が残りのサイズの積で割り切れるときだけ補われます。",
            "要素は {count} 個ですが、形状 {shape} に必要なのは {exact} 個です。\n要素は {count} 個ですが、形状 "
            "{shape} には {multiple} の倍数が必要です。",
            "計算が合いません: {fixed}。\n-1 に入る値は {free} になってしまいます。\n因数を 1 つ変えて合う値: {near}。"
            "\n"
            "サイズ (バッチや、畳み込み後の チャネル数 × 高さ × 幅) を直接書いており、実際と違います。"
            "最後の小さなバッチでよく起こります。",
            "サイズを直接書かずに x.view(x.size(0), -1) か flatten(1) とし、次の層を出力に合わせます。",
        ),
        sums=_view,
    ),
    Message(
        "view-stride",
        (
            r"view size is not compatible with input tensor's size and stride(?: \([^)]*\))?(?:\. Use "
            r"\.reshape\(\.\.\.\) instead)?",
        ),
        (
            "view can merge axes only where their elements, taken in order, are evenly spaced in memory.",
            "The axes that this view merges are not.",
            "There is a permute, transpose, expand or slice before the view, or a channels-last layout.",
            "reshape copies when necessary; it is correct if the axes are already in the intended order.\nCheck the "
            "meaning first: if an axis still has to move, permute it; reshape never moves axes.",
        ),
        (
            "view solo puede unir ejes cuyos elementos, tomados en orden, estén a distancias iguales en memoria.",
            "Los ejes que une este view no lo están.",
            "Antes del view hay un permute, transpose, expand o un corte, o una disposición channels-last.",
            "reshape copia cuando hace falta y es correcto si el orden de ejes es el que quieres.\n"
            "Comprueba antes el significado: si un eje aún debe moverse, usa permute; reshape nunca mueve ejes.",
        ),
        (
            "view でまとめられるのは、要素を順にたどるとメモリに等間隔で並んでいる軸だけです。",
            "この view がまとめる軸は、そうなっていません。",
            "view の前に permute、transpose、expand、スライスがあるか、channels-last の並びです。",
            "軸の順が意図どおりなら reshape を使います。必要なときだけコピーされます。\n"
            "先に意味を確かめてください。軸を入れ替えたいなら permute です。reshape は軸を動かしません。",
        ),
    ),
    Message(
        "reshape-ambiguous",
        (
            r"cannot reshape tensor of 0 elements into shape (?P<shape>\[[^\]]*\]) because the unspecified dimension "
            r"size -1 can be any value",
        ),
        (
            "A -1 is the number of elements divided by the product of the other sizes, none of which may be 0.",
            "The tensor is empty, and the shape {shape} leaves -1 undetermined.",
            "A filter, mask or slice selected nothing, or a batch is empty.",
            "Find out why the tensor is empty, skip empty batches, or write every size.",
        ),
        (
            "Un -1 es el número de elementos dividido entre el producto de los demás tamaños; ninguno puede ser 0.",
            "El tensor está vacío y la forma {shape} deja el -1 sin determinar.",
            "Un filtro, una máscara o un corte no seleccionó nada, o el lote está vacío.",
            "Averigua por qué está vacío el tensor, salta los lotes vacíos o escribe todos los tamaños.",
        ),
        (
            "-1 は要素数を残りのサイズの積で割って決まるため、残りのサイズに 0 があってはなりません。",
            "テンソルが空で、形状 {shape} の -1 を決められません。",
            "フィルタ、マスク、スライスで何も選ばれなかったか、バッチが空です。",
            "テンソルが空になる理由を調べ、空のバッチを飛ばすか、サイズをすべて書きます。",
        ),
    ),
    Message(
        "unflatten",
        (
            r"unflatten: Provided sizes (?P<shape>\[[^\]]*\]) don't multiply up to the size of dim (?P<dim>-?\d+) "
            r"\((?P<count>\d+)\) in the input tensor",
        ),
        (
            "The product of the new sizes must equal the size of the axis that is split.",
            "Axis {dim} has size {count}; the product of {shape} is {exact}.\nAxis {dim} has size {count}, which "
            "is not divisible by {multiple}.",
            "Heads times head size does not equal the embedding size, or a channel count changed.",
            "Choose sizes whose product is {count}; one of them may be -1.\nWith one factor changed: {near}.",
        ),
        (
            "El producto de los tamaños nuevos debe ser igual al tamaño del eje que se divide.",
            "El eje {dim} mide {count}; el producto de {shape} es {exact}.\nEl eje {dim} mide {count}, que no es "
            "divisible entre {multiple}.",
            "Cabezas por tamaño de cabeza no es igual al tamaño del embedding, o cambió el número de canales.",
            "Elige tamaños cuyo producto sea {count}; uno puede ser -1.\nCambiando un factor: {near}.",
        ),
        (
            "新しいサイズの積が、分割する軸のサイズと一致しなければなりません。",
            "軸 {dim} のサイズは {count} ですが、{shape} の積は {exact} です。\n軸 {dim} のサイズ {count} は "
            "{multiple} で割り切れません。",
            "ヘッド数とヘッドのサイズの積が埋め込みのサイズと違うか、チャネル数が変わっています。",
            "積が {count} になるようにします。1 つは -1 にできます。\n因数を 1 つ変えると: {near}。",
        ),
        sums=_view,
    ),
    Message(
        "split-sizes",
        (
            r"split_with_sizes expects split_sizes to sum exactly to (?P<count>\d+) \(input tensor's size at dimension "
            r"(?P<dim>-?\d+)\), but got "
            r"split_sizes=(?P<shape>\[[^\]]*\])",
        ),
        (
            "The parts of a split, given as a list, must add up to the size of the axis.",
            "Axis {dim} has size {count}; the parts {shape} add up to {total}.",
            "The axis grew or shrank (gates, heads, an added feature), or the split runs along the wrong axis.",
            "Change the parts to add up to {count}, or set dim.",
        ),
        (
            "Las partes de un split, dadas en una lista, deben sumar el tamaño del eje.",
            "El eje {dim} mide {count}; las partes {shape} suman {total}.",
            "El eje creció o encogió (puertas, cabezas, una característica añadida), o se divide por el eje "
            "equivocado.",
            "Cambia las partes para que sumen {count}, o indica dim.",
        ),
        (
            "split にリストで渡す各部分の合計は、軸のサイズと一致しなければなりません。",
            "軸 {dim} は {count} ですが、{shape} の合計は {total} です。",
            "軸のサイズが変わった (ゲート、ヘッド、特徴の追加) か、別の軸を分割しています。",
            "合計が {count} になるようにするか、dim を指定します。",
        ),
        sums=lambda field: {"total": sum(numbers(field["shape"]))},
    ),
    Message(
        "narrow-range",
        (r"start \((?P<start>-?\d+)\) \+ length \((?P<length>\d+)\) exceeds dimension size \((?P<size>\d+)\)",),
        (
            "The range that narrow takes must lie within the axis.",
            "A range of length {length} from {start} reaches {end}; the axis has size {size}.",
            "The last piece of a sequence is shorter than a full window.",
            "Stop at size - length, or take min(length, size - start).",
        ),
        (
            "El tramo que toma narrow debe caber en el eje.",
            "Un tramo de longitud {length} desde {start} llega a {end}; el eje mide {size}.",
            "El último trozo de una secuencia es más corto que una ventana completa.",
            "Detente en size - length, o toma min(length, size - start).",
        ),
        (
            "切り出す範囲は軸の中に収まらなければなりません。",
            "{start} から {length} 個だと {end} に達しますが、軸のサイズは {size} です。",
            "系列の最後の部分が窓より短くなっています。",
            "size - length で止めるか、min(length, size - start) を使います。",
        ),
        sums=lambda field: {"end": int(field["start"]) + int(field["length"])},
    ),
)
