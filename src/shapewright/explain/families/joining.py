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
            "cat joins along one axis; all other axes must have equal sizes (a tensor of shape (0,) is skipped).",
            "The tensors are joined along axis {dim}, but another axis has size {a} in one tensor and {b} in "
            "another.\nThe tensor that does not match is number {number} of the list, counted from 0.\nThe tensors "
            "differ at axis {axis}.",
            "dim may be wrong: the axis that differs ({a} and {b}) may be the one to join along.\nThe sizes in a "
            "skip connection of a U-Net were halved with rounding, or the sequences have unequal lengths.",
            "Join along the axis that differs, or bring {b} to {a} first: pad, crop, interpolate or transpose.",
        ),
        (
            "cat une a lo largo de un eje; todos los demás deben tener tamaños iguales (se omite un tensor de "
            "forma (0,)).",
            "Los tensores se unen por el eje {dim}, pero otro eje tiene tamaño {a} en un tensor y {b} en otro.\nEl "
            "tensor que no encaja es el número {number} de la lista, contando desde 0.\nLos tensores difieren en el "
            "eje {axis}.",
            "Puede que dim esté mal: quizá haya que unir por el eje que difiere ({a} y {b}).\nLos tamaños de una "
            "conexión de salto de una U-Net se dividieron con redondeo, o las secuencias tienen longitudes distintas.",
            "Une por el eje que difiere, o lleva antes {b} a {a}: rellena, recorta, interpola o traspón.",
        ),
        (
            "cat は 1 つの軸に沿って連結します。ほかの軸はすべて同じサイズでなければなりません (形状 (0,) のテン"
            "ソルは無視されます)。",
            "軸 {dim} に沿った連結で、別の軸のサイズが {a} と {b} で食い違っています。\n合わないテンソルはリストの "
            "{number} 番目 (0 から数えて) です。\n食い違うのは軸 {axis} です。",
            "dim の間違いで、食い違う軸 ({a} と {b}) こそ連結すべき軸かもしれません。\n"
            "U-Net のスキップ接続で端数が切り捨てられた、系列の長さが不揃い、などです。",
            "食い違う軸に沿って連結するか、先に {b} を {a} に揃えます (パディング、切り抜き、補間、転置)。",
        ),
    ),
    Message(
        "cat-rank",
        (
            r"Tensors must have same number of dimensions: got (?P<a>\d+) and (?P<b>\d+)",
            r"zero-dimensional tensor \(at position (?P<position>\d+)\) cannot be concatenated",
        ),
        (
            "cat joins tensors with the same number of axes (a tensor of shape (0,) is skipped).",
            "The numbers of axes are {a} and {b}.\nThe tensor at position {position} has no axes: it is a single "
            "value.",
            "A sample without its batch axis or a last batch of one sample after .squeeze() was passed, or losses "
            "(0-d) were collected for cat.",
            "Call unsqueeze on the tensor with fewer axes; to gather 0-d losses use torch.stack; write squeeze(dim) "
            "instead of squeeze().",
        ),
        (
            "cat une tensores con el mismo número de ejes (se omite un tensor de forma (0,)).",
            "Los números de ejes son {a} y {b}.\nEl tensor en la posición {position} no tiene ejes: es un solo valor.",
            "Se pasó una muestra sin su eje de lote o un último lote de una sola muestra tras .squeeze(), o se "
            "reunieron pérdidas (0-d) para cat.",
            "Aplica unsqueeze al tensor con menos ejes; para reunir pérdidas 0-d usa torch.stack; escribe "
            "squeeze(dim) en vez de squeeze().",
        ),
        (
            "cat で連結できるのは、軸の数が同じテンソルだけです (形状 (0,) のテンソルは無視されます)。",
            "軸の数が、片方は {a} つ、もう片方は {b} つです。\n位置 {position} のテンソルには軸がなく、値が 1 つある"
            "だけです。",
            "バッチの軸がないサンプル、.squeeze() 後に 1 件だけ"
            "残った最後のバッチ、cat に集めた損失 (0 次元) などです。",
            "足りない方に unsqueeze します。0 次元の損失を集めるなら torch.stack を使い、squeeze() ではなく "
            "squeeze(dim) と書きます。",
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
            "cat and stack take a list or tuple of tensors.",
            "{call} got an object of type {have}.\nElement {at} (counted from 0) is of type {have}.",
            "The tensors were given one by one: cat(a, b) instead of cat([a, b]).\nThe list was joined already, or it "
            "holds lists or numbers (losses after .item(), rows of NumPy).",
            "Use torch.cat([a, b], dim=…); first convert what is not a tensor with torch.as_tensor; for a list of "
            "numbers use torch.tensor(values).",
        ),
        (
            "cat y stack toman una lista o tupla de tensores.",
            "{call} recibió un objeto de tipo {have}.\nEl elemento {at} (contando desde 0) es de tipo {have}.",
            "Los tensores se dieron uno a uno: cat(a, b) en vez de cat([a, b]).\nLa lista ya estaba unida, o contiene "
            "listas o números (pérdidas tras .item(), filas de NumPy).",
            "Usa torch.cat([a, b], dim=…); convierte antes lo que no sea tensor con torch.as_tensor; para una lista de "
            "números, torch.tensor(valores).",
        ),
        (
            "cat と stack が取るのは、テンソルのリストかタプルです。",
            "{call} に {have} 型の値が渡されました。\n{at} 番目 (0 始まり) の要素は {have} 型です。",
            "cat([a, b]) ではなく cat(a, b) と別々に渡しています。\nリストがすでに連結済みか、中身がリストや数値です "
            "(.item() 後の損失、NumPy の行)。",
            "torch.cat([a, b], dim=…) とします。テンソルでないものは先に torch.as_tensor で変換し、数値のリストなら "
            "torch.tensor(値) とします。",
        ),
    ),
    Message(
        "collate-type",
        (
            r"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class "
            r"'(?P<have>[\w.]+)'>",
        ),
        (
            "By default, a DataLoader can batch tensors, numeric arrays, numbers, strings, and dicts or lists of them.",
            "The samples hold {have}.",
            "Images were not turned into tensors: transforms.ToTensor() is missing.\nA sample is None, or an object "
            "of your own class.",
            "Return tensors from __getitem__ (add ToTensor()), or give the DataLoader a collate_fn.",
        ),
        (
            "Por defecto, un DataLoader puede hacer lotes de tensores, arrays numéricos, números, cadenas, y "
            "diccionarios o listas de ellos.",
            "Las muestras contienen {have}.",
            "Las imágenes no se convirtieron en tensores: falta transforms.ToTensor().\nUna muestra es None, o un "
            "objeto de una clase propia.",
            "Devuelve tensores en __getitem__ (añade ToTensor()), o da al DataLoader un collate_fn.",
        ),
        (
            "DataLoader が既定でバッチにできるのは、テンソル、数値の配列、数値、文字列と、それらの辞書やリストです。",
            "サンプルに {have} が含まれています。",
            "画像がテンソルになっていません (transforms.ToTensor() がない)。\nサンプルが None か、"
            "独自クラスのオブジェクトです。",
            "__getitem__ からテンソルを返す (ToTensor() を加える) か、DataLoader に collate_fn を渡します。",
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
            "Samples of unequal length or image size reach the DataLoader's default collate function.",
            "Resize or crop all samples to the same size, or write a collate_fn with pad_sequence (and keep the "
            "padding out of the loss).\nBoth tensors fit into the shape {longest}.",
        ),
        (
            "stack une tensores de exactamente la misma forma en un eje nuevo; por defecto, un DataLoader apila así "
            "los tensores en un lote.",
            "El tensor 0 tiene forma {a}; el tensor {number}, {b}.\nEjes en los que difieren: {axes}.",
            "Muestras de longitud o tamaño de imagen desigual llegan a la función collate por defecto del DataLoader.",
            "Redimensiona o recorta todas las muestras al mismo tamaño, o escribe un collate_fn con pad_sequence (y "
            "excluye el relleno de la pérdida).\nLos dos tensores caben en la forma {longest}.",
        ),
        (
            "stack は完全に同じ形状のテンソルだけを新しい軸で重ねます。DataLoader も既定ではこうしてテンソルをバッチ"
            "にまとめます。",
            "テンソル 0 の形状は {a}、テンソル {number} の形状は {b} です。\n食い違うのは軸 {axes} です。",
            "長さや画像サイズの不揃いなサンプルが、DataLoader の既定の collate に渡っています。",
            "全サンプルを同じサイズにするか、pad_sequence を使う collate_fn を書きます (損失からパディングを除くこと"
            ")。\n両方のテンソルが収まる形状は {longest} です。",
        ),
        sums=_stack,
    ),
    Message(
        "collate-lists",
        (r"each element in list of batch should be of equal size",),
        (
            "The default collate function turns lists into batches element by element, so every sample's list must be "
            "equally long.",
            "At least two samples of this batch have lists of different length.",
            "Token ids, boxes or labels are kept as Python lists of varying length.",
            "Pad in a collate_fn (pad_sequence, or the tokenizer's DataCollatorWithPadding), or truncate and pad in "
            "the data set.",
        ),
        (
            "La función collate por defecto convierte listas en lotes elemento a elemento, así que las listas de "
            "todas las muestras deben medir lo mismo.",
            "Al menos dos muestras de este lote tienen listas de distinta longitud.",
            "Tokens, cajas o etiquetas se guardan como listas de Python de longitud variable.",
            "Rellena en un collate_fn (pad_sequence, o DataCollatorWithPadding del tokenizador), o recorta y rellena "
            "en el conjunto de datos.",
        ),
        (
            "既定の collate はリストを要素ごとにまとめるため、全サンプルのリストが同じ長さでなければなりません。",
            "このバッチには長さの違うリストを持つサンプルがあります。",
            "トークン ID、矩形、ラベルなどが長さの不揃いな Python のリストのままです。",
            "collate_fn でパディングする (pad_sequence や DataCollatorWithPadding)"
            " か、データセット側で長さを揃えます。",
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
            "At depth {dim}, there are lists of length {a} and of length {b}.",
            "Sentences or label lists of different length were put into one tensor; a tokenizer was called without "
            "padding=True.",
            "Pad the rows to one length (padding=True, truncation=True; or pad_sequence), or keep a list of tensors.",
        ),
        (
            "Un tensor necesita una lista rectangular: en cada nivel, todas las listas deben medir lo mismo.",
            "En el nivel {dim} hay listas de longitud {a} y de longitud {b}.",
            "Se metieron en un tensor frases o etiquetas de longitud distinta; se llamó al tokenizador sin "
            "padding=True.",
            "Rellena las filas a una misma longitud (padding=True, truncation=True; o pad_sequence), o guarda una "
            "lista de tensores.",
        ),
        (
            "テンソルにするリストは、どの深さでも長さが揃っていなければなりません。",
            "深さ {dim} で、長さ {a} のリストと {b} のリストがあります。",
            "長さの違う文やラベルを 1 つのテンソルに入れようとしています。トークナイザに padding=True "
            "がない場合もこうなります。",
            "行の長さを揃える (padding=True, truncation=True または pad_sequence) か、テンソルのリストのまま扱います。",
        ),
    ),
)
