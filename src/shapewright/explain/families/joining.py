"""cat, stack and the collation of samples into a batch."""

from ..arithmetic import numbers
from ..model import Message


def _stack(field: dict[str, str]) -> dict[str, object]:
    one, other = numbers(field["a"]), numbers(field["b"])
    axes = [axis for axis, (left, right) in enumerate(zip(one, other)) if left != right and len(one) == len(other)]
    return {
        "axes": ", ".join(map(str, axes)),
        "longest": [max(pair) for pair in zip(one, other)] if len(one) == len(other) else "",
    }


MESSAGES = (
    Message(
        "cat-sizes",
        (
            r"Sizes of tensors must match except in dimension (?P<dim>-?\d+)\. Expected size (?P<a>\d+) but got size "
            r"(?P<b>\d+) for tensor number "
            r"(?P<number>\d+) in the list",
            r"Sizes of tensors must match except in dimension (?P<dim>\d+)\. Got (?P<a>\d+) and (?P<b>\d+)(?: in "
            r"dimension (?P<axis>\d+))?",
        ),
        (
            "cat joins tensors along one axis; on every other axis all tensors must have the same size (a tensor of "
            "shape (0,) is skipped).",
            "The tensors are joined along axis {dim}, but on another axis one tensor has size {a} and another has "
            "size {b}.\nThe tensor that does not match is number {number} of the list (counted from 0).\nThe tensors "
            "differ at axis {axis}.",
            "dim may be wrong: perhaps the tensors should be joined along the axis on which they differ ({a} and {b}"
            ").\nIn a U-Net, an odd size was rounded down when it was halved; or the sequences have different "
            "lengths.",
            "Join along the axis on which the tensors differ, or first change the size {b} to {a} with padding, "
            "cropping, interpolation or a transpose.",
        ),
        (
            "cat une tensores a lo largo de un eje; en todos los demás ejes deben tener el mismo tamaño (se omite un "
            "tensor de forma (0,)).",
            "Los tensores se unen a lo largo del eje {dim}, pero en otro eje un tensor tiene tamaño {a} y otro tiene "
            "tamaño {b}.\nEl tensor que no encaja es el número {number} de la lista (contando desde 0).\nLos "
            "tensores difieren en el eje {axis}.",
            "Puede que dim esté mal: quizá haya que unir a lo largo del eje en el que difieren ({a} y {b}).\nEn una "
            "U-Net, un tamaño impar se redondeó hacia abajo al reducirlo a la mitad; o las secuencias tienen "
            "longitudes distintas.",
            "Une a lo largo del eje en el que difieren los tensores, o cambia antes el tamaño {b} a {a}: con "
            "relleno, recorte, interpolación o una trasposición.",
        ),
        (
            "cat は 1 つの軸に沿ってテンソルを連結します。ほかの軸では、すべてのテンソルのサイズが同じでなければなり"
            "ません (形状 (0,) のテンソルは無視されます)。",
            "軸 {dim} に沿った連結で、別の軸のサイズが {a} と {b} で食い違っています。\n合わないテンソルはリストの "
            "{number} 番目 (0 始まり) です。\n食い違うのは軸 {axis} です。",
            "dim の間違いで、食い違う軸 ({a} と {b}) こそ連結すべき軸かもしれません。\nU-Net で奇数のサイズが半分にさ"
            "れたときに端数が切り捨てられたか、系列の長さが不揃いです。",
            "食い違う軸に沿って連結するか、先にサイズ {b} を {a} に揃えます (パディング、切り抜き、補間、転置)。",
        ),
    ),
    Message(
        "cat-rank",
        (
            r"Tensors must have same number of dimensions: got (?P<a>\d+) and (?P<b>\d+)",
            r"zero-dimensional tensor \(at position (?P<position>\d+)\) cannot be concatenated",
        ),
        (
            "cat can join only tensors with the same number of axes (a tensor of shape (0,) is skipped).",
            "One tensor has {a} axes and another has {b}.\nThe tensor at position {position} has no axes: it is a "
            "single value.",
            "One tensor is a single sample without a batch axis, .squeeze() removed the batch axis of a batch with "
            "one sample, or the list contains losses (0-d tensors).",
            "Call unsqueeze on the tensor with fewer axes. Write squeeze(dim) instead of squeeze(). Join 0-d losses "
            "with torch.stack.",
        ),
        (
            "cat solo puede unir tensores con el mismo número de ejes (se omite un tensor de forma (0,)).",
            "Un tensor tiene {a} ejes y otro tiene {b}.\nEl tensor en la posición {position} no tiene ejes: es un "
            "solo valor.",
            "Un tensor es una sola muestra sin eje de lote, .squeeze() quitó el eje de lote de un lote con una sola "
            "muestra, o la lista contiene pérdidas (tensores 0-d).",
            "Aplica unsqueeze al tensor con menos ejes. Escribe squeeze(dim) en vez de squeeze(). Une las pérdidas "
            "0-d con torch.stack.",
        ),
        (
            "cat で連結できるのは、軸の数が同じテンソルだけです (形状 (0,) のテンソルは無視されます)。",
            "軸の数が、片方は {a} つ、もう片方は {b} つです。\n位置 {position} のテンソルには軸がなく、値が 1 つある"
            "だけです。",
            "バッチの軸のない 1 サンプルのテンソルがある、サンプルが 1 つのバッチで .squeeze() がバッチの軸を消した、"
            "リストに損失 (0 次元のテンソル) が入っている、のいずれかです。",
            "軸の少ないテンソルに unsqueeze します。squeeze() ではなく squeeze(dim) と書きます。0 次元の損失は "
            "torch.stack でまとめます。",
        ),
    ),
    Message(
        "list-of-tensors",
        (
            r"(?P<call>stack|cat|concat|hstack|vstack)\(\): argument 'tensors' \(position 1\) must be tuple of "
            r"Tensors, not (?P<have>\w+(?:\.\w+)*)",
            r"expected Tensor as element (?P<at>\d+) in argument 0, but got (?P<have>\w+(?:\.\w+)*)",
        ),
        (
            "cat and stack expect one list or tuple of tensors.",
            "{call} got an object of type {have}.\nElement {at} (counted from 0) is of type {have}.",
            "The tensors were passed one by one: cat(a, b) instead of cat([a, b]).\nA tensor was passed instead of a "
            "list, or the list contains numbers (losses after .item()), NumPy arrays or other lists.",
            "Write torch.cat([a, b], dim=…). Convert NumPy arrays and lists with torch.as_tensor first; turn a list "
            "of numbers into a tensor with torch.tensor(values).",
        ),
        (
            "cat y stack esperan una lista o tupla de tensores.",
            "{call} recibió un objeto de tipo {have}.\nEl elemento {at} (contando desde 0) es de tipo {have}.",
            "Los tensores se pasaron uno a uno: cat(a, b) en vez de cat([a, b]).\nSe pasó un tensor en vez de una "
            "lista, o la lista contiene números (pérdidas tras .item()), arrays de NumPy u otras listas.",
            "Escribe torch.cat([a, b], dim=…). Convierte antes los arrays de NumPy y las listas con torch.as_tensor; "
            "convierte una lista de números en tensor con torch.tensor(valores).",
        ),
        (
            "cat と stack には、テンソルのリストかタプルを 1 つ渡します。",
            "{call} に {have} 型の値が渡されました。\n{at} 番目 (0 始まり) の要素は {have} 型です。",
            "cat([a, b]) ではなく cat(a, b) と、テンソルを別々に渡しています。\nリストではなくテンソルを渡したか、リ"
            "ストの中身が数値 (.item() 後の損失)、NumPy 配列、リストです。",
            "torch.cat([a, b], dim=…) と書きます。NumPy 配列やリストは先に torch.as_tensor で変換します。数値のリスト"
            "は torch.tensor(値) でテンソルにします。",
        ),
    ),
    Message(
        "collate-type",
        (
            r"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class "
            r"'(?P<have>[\w.]+)'>",
        ),
        (
            "By default, a DataLoader can batch samples that are tensors, numeric arrays, numbers or strings, or "
            "dicts and lists of these.",
            "A sample contains an object of type {have}.",
            "The images were not converted to tensors: transforms.ToTensor() is missing.\nA sample is None or an "
            "object of a class of your own.",
            "Return tensors from __getitem__ (for images, add ToTensor() to the transforms), or pass a collate_fn to "
            "the DataLoader.",
        ),
        (
            "Por defecto, un DataLoader puede hacer lotes con muestras que sean tensores, arrays numéricos, números "
            "o cadenas, o diccionarios y listas de estos.",
            "Una muestra contiene un objeto de tipo {have}.",
            "Las imágenes no se convirtieron en tensores: falta transforms.ToTensor().\nUna muestra es None, o un "
            "objeto de una clase propia.",
            "Devuelve tensores en __getitem__ (con imágenes, añade ToTensor() a las transformaciones), o pasa un "
            "collate_fn al DataLoader.",
        ),
        (
            "DataLoader が既定でバッチにできるのは、テンソル、数値の配列、数値、文字列と、それらの辞書やリストです。",
            "サンプルに {have} 型のオブジェクトが含まれています。",
            "画像がテンソルになっていません (transforms.ToTensor() がない)。\nサンプルが None か、"
            "独自クラスのオブジェクトです。",
            "__getitem__ からテンソルを返す (画像なら変換に ToTensor() を加える) か、DataLoader に collate_fn を渡し"
            "ます。",
        ),
    ),
    Message(
        "stack-sizes",
        (
            r"stack expects each tensor to be equal size, but got (?P<a>\[[^\]]*\]) at entry 0 and (?P<b>\[[^\]]*\]) "
            r"at entry (?P<number>\d+)",
        ),
        (
            "stack joins tensors of exactly the same shape along a new axis; by default, a DataLoader stacks tensors "
            "into a batch this way.",
            "Tensor 0 has shape {a}, tensor {number} has shape {b}.\nThey differ on axes: {axes}.",
            "The samples have different lengths or image sizes, and the DataLoader's default collate function cannot "
            "batch them.",
            "Resize or crop all samples to the same size, or write a collate_fn with pad_sequence and exclude the "
            "padding from the loss.\nBoth tensors fit into the shape {longest}.",
        ),
        (
            "stack une tensores de exactamente la misma forma en un eje nuevo; por defecto, un DataLoader apila así "
            "los tensores en un lote.",
            "El tensor 0 tiene forma {a}; el tensor {number}, {b}.\nEjes en los que difieren: {axes}.",
            "Las muestras tienen longitudes o tamaños de imagen distintos, y la función collate por defecto del "
            "DataLoader no puede hacer un lote con ellas.",
            "Redimensiona o recorta todas las muestras al mismo tamaño, o escribe un collate_fn con pad_sequence y "
            "excluye el relleno de la pérdida.\nLos dos tensores caben en la forma {longest}.",
        ),
        (
            "stack は完全に同じ形状のテンソルだけを新しい軸で重ねます。DataLoader も既定ではこうしてテンソルをバッチ"
            "にまとめます。",
            "テンソル 0 の形状は {a}、テンソル {number} の形状は {b} です。\n食い違うのは軸 {axes} です。",
            "サンプルの長さや画像サイズが不揃いで、DataLoader の既定の collate ではバッチにできません。",
            "リサイズや切り抜きで全サンプルを同じサイズにするか、pad_sequence を使う collate_fn を書いて損失からパデ"
            "ィングを除きます。\n両方のテンソルが収まる形状は {longest} です。",
        ),
        sums=_stack,
    ),
    Message(
        "collate-lists",
        (r"each element in list of batch should be of equal size",),
        (
            "The default collate function batches lists element by element, so the lists of all samples must have "
            "the same length.",
            "At least two samples of this batch have lists of different length.",
            "The samples contain token ids, boxes or labels as Python lists of different lengths.",
            "Pad the lists in a collate_fn (with pad_sequence, or for token ids DataCollatorWithPadding), or "
            "truncate and pad them in the data set.",
        ),
        (
            "La función collate por defecto agrupa las listas elemento a elemento, así que las listas de todas las "
            "muestras deben tener la misma longitud.",
            "Al menos dos muestras de este lote tienen listas de distinta longitud.",
            "Las muestras contienen ids de tokens, cajas o etiquetas como listas de Python de distinta longitud.",
            "Rellena las listas en un collate_fn (con pad_sequence, o DataCollatorWithPadding para ids de tokens), o "
            "recórtalas y rellénalas en el conjunto de datos.",
        ),
        (
            "既定の collate はリストを要素ごとにバッチにまとめるため、全サンプルのリストが同じ長さでなければなりませ"
            "ん。",
            "このバッチには長さの違うリストを持つサンプルがあります。",
            "サンプルのトークン ID、矩形、ラベルなどが、長さの不揃いな Python のリストになっています。",
            "collate_fn でリストをパディングする (pad_sequence、トークン ID なら DataCollatorWithPadding) か、データ"
            "セット側で切り詰めとパディングをして長さを揃えます。",
        ),
    ),
    Message(
        "ragged-list",
        (
            r"expected sequence of length (?P<a>\d+) at dim (?P<dim>\d+) \(got (?P<b>\d+)\)",
            r"setting an array element with a sequence.*?inhomogeneous shape",
        ),
        (
            "A tensor needs a rectangular list: at each depth, all lists must have the same length.",
            "At nesting depth {dim}, one list has length {a} and another has length {b}.",
            "Sentences or lists of labels with different lengths were put into one tensor, or a tokenizer was called "
            "without padding=True.",
            "Pad the rows to one length (with a tokenizer: padding=True, truncation=True; otherwise pad_sequence), "
            "or keep a list of tensors.",
        ),
        (
            "Un tensor necesita una lista rectangular: en cada nivel, todas las listas deben tener la misma longitud.",
            "En el nivel de anidamiento {dim}, una lista tiene longitud {a} y otra tiene longitud {b}.",
            "Se pusieron en un solo tensor frases o listas de etiquetas de distinta longitud, o se llamó a un "
            "tokenizador sin padding=True.",
            "Rellena las filas a una misma longitud (con un tokenizador: padding=True, truncation=True; si no, "
            "pad_sequence), o guarda una lista de tensores.",
        ),
        (
            "テンソルにするリストは、どの深さでも長さが揃っていなければなりません。",
            "深さ {dim} で、長さ {a} のリストと {b} のリストがあります。",
            "長さの違う文やラベルのリストを 1 つのテンソルに入れようとしたか、トークナイザを padding=True なしで呼ん"
            "でいます。",
            "行の長さを揃える (トークナイザなら padding=True, truncation=True、ほかは pad_sequence) か、テンソルのリ"
            "ストのまま扱います。",
        ),
    ),
)
