"""Axis numbers and orders: dim out of range, permute, transpose, flatten."""

from ..model import Message


def _taken(field: dict[str, str]) -> dict[str, object]:
    return {"exact": "" if field.get("least") else field["want"]}


MESSAGES = (
    Message(
        "dim-range",
        (
            r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got "
            r"(?P<dim>-?\d+)\)",
        ),
        (
            "dim must be one of the tensor's axes (in unsqueeze and stack, one of the result's axes; for a 0-d "
            "tensor, 0 or -1).",
            "dim {dim} was requested; valid here are {low} to {high}.",
            "A squeeze() or squeeze(0) removed the batch axis when the batch size was 1, typically in the "
            "last batch.\nAn index such as h[0] or out[:, -1] already removed the axis, or one sample was "
            "passed without its batch axis.\nA vector was given to softmax(dim=1) or another call over "
            "axis 1.",
            "Give squeeze the axis to remove: squeeze(-1).\nPrint the shape before the call; for the last axis, "
            "write dim=-1.",
        ),
        (
            "dim debe ser uno de los ejes del tensor (en unsqueeze y stack, uno de los ejes del resultado; en un "
            "tensor 0-d, 0 o -1).",
            "Se pidió dim {dim}; aquí valen de {low} a {high}.",
            "Un squeeze() o squeeze(0) quitó el eje del lote cuando el tamaño del lote era 1, normalmente en el "
            "último lote.\nUn índice como h[0] o out[:, -1] ya quitó el eje, o se pasó una sola muestra sin su eje "
            "de lote.\nsoftmax(dim=1) u otra llamada sobre el eje 1 recibió un vector.",
            "Indica a squeeze el eje que se quita: squeeze(-1).\nImprime la forma antes de la llamada; para el "
            "último eje, escribe dim=-1.",
        ),
        (
            "dim にはテンソルに実在する軸 (unsqueeze と stack では結果の軸、0 次元のテンソルでは 0 か -1) を指定"
            "します。",
            "dim {dim} が指定されましたが、ここで使えるのは {low} から {high} までです。",
            "squeeze() や squeeze(0) が、バッチサイズが 1 のとき (多くは最後のバッチ) にバッチの軸まで消しています。"
            "\nh[0] や out[:, -1] などの添字で軸がすでに消えているか、バッチの軸のないサンプルが渡されています。\n"
            "softmax(dim=1) など軸 1 を使う呼び出しにベクトルが渡されています。",
            "squeeze(-1) のように、取り除く軸を指定します。\n呼び出しの前で形状を表示し、最後の軸なら dim=-1 と書きま"
            "す。",
        ),
    ),
    Message(
        "dim-scalar",
        (
            r"Dimension specified as (?P<dim>-?\d+) but tensor has no dimensions",
            r"slice\(\) cannot be applied to a 0-dim tensor",
            r"iteration over a 0-d tensor",
            r"len\(\) of a 0-d tensor",
            r"invalid index of a 0-dim tensor",
            r"dimension specified as (?P<dim>-?\d+) but tensor has no dimensions",
        ),
        (
            "The call needs at least one axis.",
            "The tensor is a single value (0-d): it has no axes.\nAxis {dim} was requested.",
            "squeeze() without a dim removes every axis of size 1: at batch size 1 it turns (1, 1) into "
            "().\nA reduction without dim, such as sum() or mean(), or a loss returned one number.",
            "Write squeeze(-1): (1, 1) becomes (1,), and (8, 1) becomes (8,).\nGive the reduction a dim.\nTo read "
            "the single value, use .item() (in place of loss.data[0] in code for old versions).",
        ),
        (
            "La llamada necesita al menos un eje.",
            "El tensor es un solo valor (0-d): no tiene ejes.\nSe pidió el eje {dim}.",
            "Un squeeze() sin argumentos quita todos los ejes de tamaño 1: con tamaño de lote 1 convierte "
            "(1, 1) en ().\nUna reducción sin dim, como sum() o mean(), o una pérdida devolvió un solo "
            "número.",
            "Escribe squeeze(-1): (1, 1) pasa a (1,), y (8, 1) a (8,).\nDa un dim a la reducción.\nPara leer el "
            "único valor usa .item() (en lugar de loss.data[0] en código para versiones antiguas).",
        ),
        (
            "この呼び出しには軸が 1 つ以上必要です。",
            "テンソルは値 1 つ (0 次元) で、軸がありません。\n指定された軸は {dim} です。",
            "引数のない squeeze() はサイズ 1 の軸をすべて消すため、バッチ 1 では (1, 1) が () になります。"
            "\ndim のない sum() や mean() などの集約か、損失が数値 1 つを返しています。",
            "squeeze(-1) と書けば (1, 1) は (1,) に、(8, 1) は (8,) になります。\n集約に dim を指定します。\n1 つの値"
            "を読むには .item() を使います (古いバージョン向けのコードの loss.data[0] に代わるものです)。",
        ),
    ),
    Message(
        "permute-rank",
        (
            r"number of dimensions in the tensor input does not match the length of the desired ordering of dimensions "
            r"i\.e\. input\.dim\(\) = "
            r"(?P<rank>\d+) is not equal to len\(dims\) = (?P<given>\d+)",
            r"number of dims don't match in permute",
            r"permute\(\): (?P<what>duplicate) dims are not allowed",
            r"(?P<what>repeated) dim in permute",
        ),
        (
            "permute must name every axis of the tensor exactly once.",
            "The number of axes is {rank} in the tensor, but {given} in the call.\nAn axis is named more than once "
            "({what}).",
            "The batch axis is missing (one sample was passed instead of a batch), or there is one axis too many: "
            "code for images (h, w, c) got (batch, h, w, c).",
            "Print x.shape and name all its axes. To swap only two axes use transpose(-1, -2), which works with any "
            "number of axes from 2 up.",
        ),
        (
            "permute debe nombrar cada eje del tensor exactamente una vez.",
            "El número de ejes es {rank} en el tensor, pero {given} en la llamada.\nHay un eje repetido ({what}).",
            "Falta el eje de lote (se pasó una muestra en vez de un lote), o sobra un eje: código para imágenes (h, "
            "w, c) recibió (lote, h, w, c).",
            "Imprime x.shape y nombra todos sus ejes. Para intercambiar solo dos ejes usa transpose(-1, -2), que "
            "vale con cualquier número de ejes a partir de 2.",
        ),
        (
            "permute には、テンソルのすべての軸をちょうど 1 回ずつ指定します。",
            "テンソルの軸は {rank} つ、指定は {given} 個です。\n同じ軸が繰り返されています ({what})。",
            "バッチの軸がない (サンプル 1 つが渡された) か、1 つ多い ((h, w, c) 用のコードに (バッチ, h, w, c) "
            "が渡された) 状態です。",
            "x.shape を表示し、すべての軸を指定します。2 つの軸だけを入れ替えるなら transpose(-1, -2) を使います。2 "
            "次元以上なら何次元でも使えます。",
        ),
    ),
    Message(
        "matrix-transpose",
        (r"t\(\) expects a tensor with <= 2 dimensions, but self is (?P<rank>\d+)D",),
        (
            "t() transposes a matrix; it takes at most two axes.",
            "The tensor has {rank} axes.",
            "A batch axis (or a head axis) comes before the two axes of the matrix.",
            "Use transpose(-2, -1) or .mT: both swap only the last two axes.",
        ),
        (
            "t() traspone una matriz; admite como mucho dos ejes.",
            "El tensor tiene {rank} ejes.",
            "Delante de los dos ejes de la matriz hay un eje de lote (o de cabezas).",
            "Usa transpose(-2, -1) o .mT: los dos intercambian solo los dos últimos ejes.",
        ),
        (
            "t() は行列を転置します。3 次元以上のテンソルには使えません。",
            "テンソルの軸は {rank} つです。",
            "行列の前にバッチ (またはヘッド) の軸があります。",
            "transpose(-2, -1) か .mT を使います。どちらも最後の 2 つの軸だけを入れ替えます。",
        ),
    ),
    Message(
        "flatten-order",
        (r"flatten\(\) has invalid args: start_dim cannot come after end_dim",),
        (
            "flatten(start, end) merges the axes from start to end.",
            "The start axis comes after the end axis.",
            "The tensor has fewer axes than expected, so a negative end_dim points to an axis before start_dim.",
            "Print x.dim(); to merge all axes but the first, write flatten(1).",
        ),
        (
            "flatten(inicio, fin) une los ejes de inicio a fin.",
            "El eje de inicio está después del de fin.",
            "El tensor tiene menos ejes de lo esperado, así que un end_dim negativo señala un eje anterior a "
            "start_dim.",
            "Imprime x.dim(); para unir todos los ejes menos el primero escribe flatten(1).",
        ),
        (
            "flatten(開始, 終了) は、開始の軸から終了の軸までをまとめます。",
            "開始の軸が終了の軸より後ろにあります。",
            "テンソルの軸が想定より少なく、負の end_dim の指す軸が start_dim より前になっています。",
            "x.dim() を表示します。最初の軸以外をまとめるなら flatten(1) です。",
        ),
    ),
    Message(
        "unpack",
        (
            r"too many values to unpack \(expected (?P<want>\d+)(?:, got (?P<have>\d+))?\)",
            r"not enough values to unpack \(expected (?:at least (?P<least>\d+)|(?P<want>\d+)), got (?P<have>\d+)\)",
        ),
        (
            "The number of names on the left must equal the number of values on the right, unless one of the names "
            "is starred.",
            "Number of values expected on the left: {exact}.\nNumber of values expected on the left: {least} or "
            "more.\nNumber of values on the right: {have}.",
            "x.shape does not have the number of axes that the code assumes (b, t, d = x.shape on a 2-d x).\nAn LSTM "
            "returns output, (h, c); a GRU returns output, h. A DataLoader yields batches with the fields that the "
            "data set returns. A loop over a tensor runs along its first axis.",
            "Print the shape or the type of the right side. To unpack a shape with any number of axes from 1 up, "
            "write b, *rest = x.shape",
        ),
        (
            "El número de nombres a la izquierda debe ser igual al número de valores a la derecha, salvo que un "
            "nombre lleve asterisco.",
            "Número de valores que espera la izquierda: {exact}.\nNúmero de valores que espera la izquierda: {least} "
            "o más.\nNúmero de valores a la derecha: {have}.",
            "x.shape tiene otro número de ejes del que supone el código (b, t, d = x.shape con x de 2 ejes).\nUna "
            "LSTM devuelve output, (h, c); una GRU devuelve output, h. Un DataLoader da lotes con los campos que "
            "devuelve el conjunto de datos. Un bucle sobre un tensor recorre su primer eje.",
            "Imprime la forma o el tipo del lado derecho. Para desempaquetar una forma con cualquier número de ejes "
            "a partir de 1, escribe b, *resto = x.shape",
        ),
        (
            "* の付いた名前がなければ、左辺の名前の数と右辺の値の数が一致しなければなりません。",
            "左辺が受け取る値は {exact} 個です。\n左辺が受け取る値は {least} 個以上です。\n右辺の値は {have} 個です。",
            "x.shape の軸の数がコードの想定と違います (2 次元の x に b, t, d = x.shape など)。\nLSTM は output, (h, "
            "c) を、GRU は output, h を返します。DataLoader は、データセットが返す項目をバッチにして返します。テンソ"
            "ルをループで回すと、先頭の軸をたどります。",
            "右辺の形状か型を表示します。1 次元以上なら、次元数によらず b, *rest = x.shape が使えます。",
        ),
        sums=_taken,
    ),
)
