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
            "At most one size in view or reshape may be -1; PyTorch computes it from the other sizes.",
            "More than one size is -1, or a size is another negative number.\nThe call got {have}.",
            "-1 was written twice, or a computed size is negative.",
            "Write -1 for one size only: x.view(x.size(0), -1).",
        ),
        (
            "En view o reshape, como mucho un tamaño puede ser -1; PyTorch lo calcula a partir de los demás.",
            "Hay más de un tamaño -1, o un tamaño es otro número negativo.\nLa llamada recibió {have}.",
            "Se escribió -1 dos veces, o un tamaño calculado es negativo.",
            "Escribe -1 en un solo tamaño: x.view(x.size(0), -1).",
        ),
        (
            "view や reshape で -1 にできるサイズは 1 つだけです。PyTorch がほかのサイズから計算します。",
            "-1 のサイズが複数あるか、-1 以外の負の数が渡されています。\n渡されたのは {have} です。",
            "-1 を 2 か所に書いたか、計算したサイズが負になっています。",
            "-1 にするサイズを 1 つだけにします: x.view(x.size(0), -1)。",
        ),
    ),
    Message(
        "split-lengths",
        (r"Sum of input lengths does not equal the length of the input dataset",),
        (
            "random_split expects lengths that add up to the length of the data set, or fractions that add up to 1.",
            "The lengths that were passed have the wrong sum.",
            "Each length was rounded down separately: int(0.8 * n) + int(0.2 * n) may be n - 1.\nThe lengths were "
            "written for a different version of the data.",
            "Compute the last length as the remainder: [a, len(data) - a], or pass fractions: random_split(data, [0.8, "
            "0.2]).",
        ),
        (
            "random_split espera longitudes que sumen la del conjunto de datos, o fracciones que sumen 1.",
            "La suma de las longitudes que se pasaron es incorrecta.",
            "Cada longitud se redondeó por su cuenta: int(0.8 * n) + int(0.2 * n) puede dar n - 1.\nLas longitudes son "
            "de otra versión de los datos.",
            "Calcula la última longitud como el resto: [a, len(datos) - a], o da fracciones: random_split(datos, [0.8, "
            "0.2]).",
        ),
        (
            "random_split の長さは、合計がデータセットの長さか、割合なら合計が 1 でなければなりません。",
            "渡された長さの合計が合っていません。",
            "それぞれの長さを別々に切り捨てています: int(0.8 * n) + int(0.2 * n) は n - 1 になることがあります。\n別"
            "のバージョンのデータに合わせた長さが書かれています。",
            "最後の長さは残りの数とします: [a, len(data) - a]。または割合を渡します: random_split(data, [0.8, 0.2])。",
        ),
    ),
    Message(
        "view-count",
        (r"shape '(?P<shape>\[[^\]]*\])' is invalid for input of size (?P<count>\d+)",),
        (
            "view and reshape keep the number of elements. A -1 works only if the number of elements is divisible by "
            "the product of the other sizes.",
            "The number of elements is {count}; the shape {shape} needs {exact}.\nThe number of elements is {count}; "
            "the shape {shape} needs a multiple of {multiple}.",
            "The product does not match: {fixed}.\nThe -1 would be {free}.\nWith one factor changed, the product "
            "would match: {near}.\nA hard-coded size (the batch size, or channels × height × width after the "
            "convolutions) differs from the real one, often in the last, smaller batch.",
            "Write x.view(x.size(0), -1) or flatten(1) instead of a hard-coded size, and set in_features of the next "
            "layer to the resulting size.",
        ),
        (
            "view y reshape conservan el número de elementos. Un -1 solo funciona si el número de elementos es "
            "divisible entre el producto de los demás tamaños.",
            "El número de elementos es {count}; la forma {shape} necesita {exact}.\nEl número de elementos es "
            "{count}; la forma {shape} necesita un múltiplo de {multiple}.",
            "El producto no coincide: {fixed}.\nEl -1 sería {free}.\nCambiando un factor, el producto coincidiría: "
            "{near}.\nUn tamaño fijo en el código (el tamaño de lote, o canales × alto × ancho tras las "
            "convoluciones) difiere del real, a menudo en el último lote, más pequeño.",
            "Escribe x.view(x.size(0), -1) o flatten(1) en vez de un tamaño fijo, y pon en in_features de la capa "
            "siguiente el tamaño resultante.",
        ),
        (
            "view と reshape は要素数を変えません。-1 が使えるのは、要素数がほかのサイズの積で割り切れるときだけです。",
            "要素は {count} 個ですが、形状 {shape} に必要なのは {exact} 個です。\n要素は {count} 個ですが、形状 "
            "{shape} には {multiple} の倍数が必要です。",
            "積が合いません: {fixed}。\n-1 に入る値は {free} になってしまいます。\n因数を 1 つ変えると積が合います: "
            "{near}。\nコードに直接書いたサイズ (バッチサイズや、畳み込み後の チャネル数 × 高さ × 幅) が実際と違いま"
            "す。最後の小さなバッチでよく起こります。",
            "サイズを直接書かずに x.view(x.size(0), -1) か flatten(1) とし、次の層の in_features を結果のサイズに合わ"
            "せます。",
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
            "The elements of the axes that this view merges are not evenly spaced in memory.",
            "A permute, transpose, expand or slice comes before the view, or the tensor has a channels-last memory "
            "format.",
            "If the axes are already in the intended order, use reshape, which copies the data where a view is "
            "impossible.\nIf an axis still has to move, use permute first: reshape never moves axes.",
        ),
        (
            "view solo puede unir ejes cuyos elementos, tomados en orden, estén a distancias iguales en memoria.",
            "Los elementos de los ejes que une este view no están a distancias iguales en memoria.",
            "Antes del view hay un permute, transpose, expand o un slice, o el tensor tiene el formato de memoria "
            "channels-last.",
            "Si los ejes ya están en el orden que quieres, usa reshape, que copia donde no es posible una vista.\nSi "
            "un eje aún debe moverse, usa antes permute: reshape nunca mueve ejes.",
        ),
        (
            "view でまとめられるのは、要素を順にたどるとメモリに等間隔で並んでいる軸だけです。",
            "この view がまとめる軸の要素は、メモリに等間隔で並んでいません。",
            "view の前に permute、transpose、expand、スライスがあるか、テンソルのメモリ形式が channels-last です。",
            "軸の順序が意図どおりなら reshape を使います。ビューにできない場合はコピーされます。\n軸をまだ動かす必要"
            "があるなら、先に permute を使います。reshape は軸を動かしません。",
        ),
    ),
    Message(
        "reshape-ambiguous",
        (
            r"cannot reshape tensor of 0 elements into shape (?P<shape>\[[^\]]*\]) because the unspecified dimension "
            r"size -1 can be any value",
        ),
        (
            "A -1 is computed as the number of elements divided by the product of the other sizes, so none of them "
            "may be 0.",
            "The tensor is empty, and the shape {shape} leaves -1 undetermined.",
            "A filter, mask or slice selected nothing, or a batch is empty.",
            "Find out why the tensor is empty. Skip empty batches, or write a number instead of -1.",
        ),
        (
            "Un -1 se calcula como el número de elementos dividido entre el producto de los demás tamaños, así que "
            "ninguno puede ser 0.",
            "El tensor está vacío y la forma {shape} deja el -1 sin determinar.",
            "Un filtro, una máscara o un slice no seleccionó nada, o el lote está vacío.",
            "Averigua por qué está vacío el tensor. Salta los lotes vacíos o escribe un número en vez de -1.",
        ),
        (
            "-1 は要素数をほかのサイズの積で割って計算されるため、ほかのサイズに 0 があってはなりません。",
            "テンソルが空で、形状 {shape} の -1 を決められません。",
            "フィルタ、マスク、スライスで何も選ばれなかったか、バッチが空です。",
            "テンソルが空になる理由を調べます。空のバッチを飛ばすか、-1 の代わりに数を書きます。",
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
            "The number of heads times the head size does not equal the embedding size, or the number of channels "
            "changed.",
            "Choose sizes whose product is {count}; one of them may be -1.\nWith one factor changed, the product "
            "matches: {near}.",
        ),
        (
            "El producto de los tamaños nuevos debe ser igual al tamaño del eje que se divide.",
            "El eje {dim} tiene tamaño {count}; el producto de {shape} es {exact}.\nEl eje {dim} tiene tamaño {count}"
            ", que no es divisible entre {multiple}.",
            "El número de cabezas por el tamaño de cabeza no es igual al tamaño del embedding, o cambió el número de "
            "canales.",
            "Elige tamaños cuyo producto sea {count}; uno puede ser -1.\nCambiando un factor, el producto coincide: "
            "{near}.",
        ),
        (
            "新しいサイズの積が、分割する軸のサイズと一致しなければなりません。",
            "軸 {dim} のサイズは {count} ですが、{shape} の積は {exact} です。\n軸 {dim} のサイズ {count} は "
            "{multiple} で割り切れません。",
            "ヘッド数とヘッドのサイズの積が埋め込みのサイズと違うか、チャネル数が変わっています。",
            "積が {count} になるサイズにします。1 つは -1 にできます。\n因数を 1 つ変えると積が合います: {near}。",
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
            "If split gets a list of sizes, the sizes must add up to the size of the axis.",
            "Axis {dim} has size {count}, but the sizes {shape} add up to {total}.",
            "The size of the axis was changed (number of gates, heads or features), or the wrong axis is split.",
            "Change the sizes so that they add up to {count}, or pass the correct dim.",
        ),
        (
            "Si split recibe una lista de tamaños, estos deben sumar el tamaño del eje.",
            "El eje {dim} tiene tamaño {count}, pero los tamaños {shape} suman {total}.",
            "Se cambió el tamaño del eje (número de puertas, cabezas o características), o se divide el eje "
            "equivocado.",
            "Cambia los tamaños para que sumen {count}, o indica el dim correcto.",
        ),
        (
            "split にサイズのリストを渡す場合、その合計は軸のサイズと一致しなければなりません。",
            "軸 {dim} のサイズは {count} ですが、{shape} の合計は {total} です。",
            "軸のサイズ (ゲート、ヘッド、特徴の数) を変えたか、間違った軸を分割しています。",
            "サイズの合計を {count} にするか、正しい dim を指定します。",
        ),
        sums=lambda field: {"total": sum(numbers(field["shape"]))},
    ),
    Message(
        "narrow-range",
        (r"start \((?P<start>-?\d+)\) \+ length \((?P<length>\d+)\) exceeds dimension size \((?P<size>\d+)\)",),
        (
            "narrow(dim, start, length) takes a range that must lie within the axis.",
            "start + length is {start} + {length} = {end}, but the axis has size {size}.",
            "The last chunk of a sequence is shorter than a full window.",
            "Use values of start only up to size - length, or pass min(length, size - start) as the length.",
        ),
        (
            "narrow(dim, start, length) toma un tramo que debe caber en el eje.",
            "start + length es {start} + {length} = {end}, pero el eje tiene tamaño {size}.",
            "El último trozo de una secuencia es más corto que una ventana completa.",
            "Usa start solo hasta size - length, o pasa min(length, size - start) como longitud.",
        ),
        (
            "narrow(dim, start, length) で切り出す範囲は、軸の中に収まらなければなりません。",
            "start + length は {start} + {length} = {end} ですが、軸のサイズは {size} です。",
            "系列の最後の部分が窓より短くなっています。",
            "start を size - length までにするか、長さとして min(length, size - start) を渡します。",
        ),
        sums=lambda field: {"end": int(field["start"]) + int(field["length"])},
    ),
)
