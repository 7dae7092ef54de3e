"""RNN, LSTM, GRU, their cells, and packed sequences."""

from ..arithmetic import numbers
from ..model import Message


def _hidden(field: dict[str, str]) -> dict[str, object]:
    want, have = numbers(field["want"]), numbers(field["have"])
    fields: dict[str, object] = {"layers": "", "batch": "", "size": ""}
    if len(want) == len(have) == 3:
        for at, name in enumerate(("layers", "batch", "size")):
            fields[name] = f"{want[at]} ≠ {have[at]}" if want[at] != have[at] else ""
    return fields


MESSAGES = (
    Message(
        "rnn-input-size",
        (
            r"input\.size\(-1\) must be equal to input_size\. Expected (?P<want>\d+), got (?P<have>\d+)",
            r"input has inconsistent input_size: got (?P<have>\d+),? expected (?P<want>\d+)",
        ),
        (
            "A recurrent layer reads the last axis as features; the size of this axis must equal input_size.",
            "The layer has input_size={want}, but the last axis has size {have}.",
            "Features were added or removed, but input_size was not changed.\nThe axes are in the wrong order: the "
            "last axis is the time or the batch.\nToken ids were passed without an Embedding or one-hot encoding.",
            "Print the shape. The layer expects (seq, batch, {want}) by default, (batch, seq, {want}) with "
            "batch_first=True; a cell expects (batch, {want}).\nIf {have} is the correct number of features, set "
            "input_size={have}.",
        ),
        (
            "Una capa recurrente lee el último eje como características; ese eje debe tener tamaño input_size.",
            "La capa tiene input_size={want}, pero el último eje tiene tamaño {have}.",
            "Se añadieron o quitaron características sin cambiar input_size.\nLos ejes están en un orden incorrecto: "
            "el último eje es el tiempo o el lote.\nSe pasaron ids de tokens sin Embedding ni codificación one-hot.",
            "Imprime la forma. La capa espera (seq, lote, {want}) por defecto y (lote, seq, {want}) con "
            "batch_first=True; una celda espera (lote, {want}).\nSi {have} es el número correcto de características, "
            "pon input_size={have}.",
        ),
        (
            "再帰層は最後の軸を特徴として読みます。最後の軸のサイズは input_size と同じでなければなりません。",
            "層は input_size={want} ですが、最後の軸のサイズは {have} です。",
            "特徴を足したり減らしたりしたのに、input_size を変えていません。\n軸の順序が違い、最後の軸が時間かバッチ"
            "になっています。\nEmbedding や one-hot を通さずにトークン ID を渡しています。",
            "形状を表示します。層の入力は既定で (系列, バッチ, {want})、batch_first=True なら (バッチ, 系列, {want})"
            "、セルの入力は (バッチ, {want}) です。\n特徴数が {have} で正しければ input_size={have} とします。",
        ),
    ),
    Message(
        "rnn-hidden-size",
        (
            r"Expected hidden(?:\[(?P<which>\d)\])? size (?P<want>\(\d+, \d+, \d+\)), got [\[(](?P<have>\d+(?:, "
            r"\d+)*)[\])]",
        ),
        (
            "The hidden state has shape (layers × directions, batch, hidden_size), also with batch_first=True. For a "
            "single sequence, the batch axis is left out. With proj_size, the last axis of h has size proj_size "
            "instead.",
            "The expected shape is {want}; the state has shape ({have}).",
            "The number of layers × directions differs: {layers}. A bidirectional layer has 2 directions.\nThe batch "
            "size differs: {batch}. The state was made for a full batch and the last batch is smaller, or the input "
            "is (batch, seq, …) without batch_first=True.\nhidden_size differs: {size}.",
            "Create the state from the current input (with batch_first=True: torch.zeros(layers * directions, "
            "x.size(0), hidden_size)), or pass no state: then it starts with zeros.\nIf the data are (batch, seq, "
            "feature), set batch_first=True.",
        ),
        (
            "El estado oculto tiene forma (capas × direcciones, lote, hidden_size), también con batch_first=True. "
            "Con una sola secuencia se omite el eje de lote. Con proj_size, el último eje de h tiene tamaño "
            "proj_size.",
            "La forma esperada es {want}; el estado tiene forma ({have}).",
            "Difiere el número de capas × direcciones: {layers}. Una capa bidireccional tiene 2 direcciones.\n"
            "Difiere el tamaño de lote: {batch}. El estado se hizo para un lote completo y el último lote es menor, "
            "o la entrada es (lote, seq, …) sin batch_first=True.\nDifiere hidden_size: {size}.",
            "Crea el estado a partir de la entrada actual (con batch_first=True: torch.zeros(capas * direcciones, "
            "x.size(0), hidden_size)), o no pases ninguno: entonces empieza con ceros.\nSi los datos son (lote, seq, "
            "característica), indica batch_first=True.",
        ),
        (
            "隠れ状態の形状は、batch_first=True でも (層数 × 方向数, バッチ, hidden_size) です。1 系列だけならバッチ"
            "の軸はありません。proj_size を指定した場合、h の最後の軸のサイズは proj_size になります。",
            "期待される形状は {want} ですが、状態の形状は ({have}) です。",
            "層数 × 方向数が違います: {layers}。双方向なら方向数は 2 です。\nバッチサイズが違います: {batch}。状態を"
            "通常のバッチサイズで作ったが最後のバッチは小さいか、batch_first=True なしで (バッチ, 系列, …) を渡してい"
            "ます。\nhidden_size が違います: {size}。",
            "状態をその時の入力から作ります (batch_first=True なら torch.zeros(層数 * 方向数, x.size(0), "
            "hidden_size))。状態を渡さなければ、ゼロから始まります。\nデータが (バッチ, 系列, 特徴) なら "
            "batch_first=True とします。",
        ),
        sums=_hidden,
    ),
    Message(
        "rnn-rank",
        (
            r"(?P<layer>LSTM|GRU|RNN): Expected input to be 2D or 3D, got (?P<rank>\d)D (?:instead|tensor instead)",
            r"input must have 3 dimensions, got (?P<axes>\d)",
            r"(?P<layer>LSTMCell|GRUCell|RNNCell): Expected input to be 1D or 2D, got (?P<rank>\d)D instead",
        ),
        (
            "A recurrent layer expects (seq, batch, features), or (batch, seq, features) with batch_first=True, or "
            "(seq, features) for one sequence. A cell expects (batch, features) or (features,).",
            "{layer} got an input with {rank} axes.\nThe input has {axes} axes.",
            "The input has an extra axis (the height and width of an image, channels, [None]) that was not flattened "
            "into the features; or token ids were passed without an Embedding.",
            "With (batch, seq, …) or (seq, batch, …), flatten all further axes into the features: x.flatten(2). "
            "After a CNN, first move the time axis to its place with permute.",
        ),
        (
            "Una capa recurrente espera (seq, lote, características), o (lote, seq, características) con "
            "batch_first=True, o (seq, características) para una sola secuencia. Una celda espera (lote, "
            "características) o (características,).",
            "{layer} recibió una entrada con {rank} ejes.\nLa entrada tiene {axes} ejes.",
            "La entrada tiene un eje de más (alto y ancho de una imagen, canales, [None]) que no se aplanó en las "
            "características; o se pasaron ids de tokens sin Embedding.",
            "Con (lote, seq, …) o (seq, lote, …), aplana los demás ejes en las características: x.flatten(2). Tras "
            "una CNN, lleva antes el eje de tiempo a su sitio con permute.",
        ),
        (
            "再帰層の入力は (系列, バッチ, 特徴)、batch_first=True なら (バッチ, 系列, 特徴)、1 系列なら (系列, 特徴"
            ") です。セルの入力は (バッチ, 特徴) か (特徴,) です。",
            "{layer} に渡された入力の軸は {rank} つです。\n入力の軸は {axes} つです。",
            "余分な軸 (画像の縦横、チャネル、[None] など) が特徴の軸に平坦化されていません。または、Embedding を通さ"
            "ずにトークン ID を渡しています。",
            "(バッチ, 系列, …) や (系列, バッチ, …) なら、残りの軸を x.flatten(2) で特徴にまとめます。CNN の後なら、"
            "先に permute で時間の軸を正しい位置に移します。",
        ),
    ),
    Message(
        "rnn-hidden-rank",
        (
            r"For (?:batched|unbatched) (?P<input>\d)-D input, hx(?: and cx)? should also be (?P<want>\d)-D but got "
            r"(?P<have>[^\n]*?) tensors?",
        ),
        (
            "The input and the state must both have a batch axis, or neither may have one: a 3-d input needs 3-d "
            "states, a 2-d input needs 2-d states.",
            "The input is {input}-d; the states should be {want}-d, but are {have}.",
            "The state has no layer axis, or squeeze removed the batch axis of the input.",
            "Give the state the shape (layers × directions, batch, hidden_size); add a missing layer axis with "
            "unsqueeze(0).",
        ),
        (
            "La entrada y el estado deben tener los dos un eje de lote, o ninguno de los dos: una entrada 3-d "
            "necesita estados 3-d; una entrada 2-d, estados 2-d.",
            "La entrada es {input}-d; los estados deberían ser {want}-d, pero son {have}.",
            "El estado no tiene eje de capas, o squeeze quitó el eje de lote de la entrada.",
            "Da al estado la forma (capas × direcciones, lote, hidden_size); si falta el eje de capas, añádelo con "
            "unsqueeze(0).",
        ),
        (
            "入力と状態は、両方がバッチの軸を持つか、両方とも持たないかのどちらかです。3 次元の入力には 3 次元の状"
            "態、2 次元の入力には 2 次元の状態が必要です。",
            "入力は {input} 次元なので状態は {want} 次元のはずですが、{have} です。",
            "状態に層の軸がないか、入力のバッチの軸が squeeze で消えています。",
            "状態の形状を (層数 × 方向数, バッチ, hidden_size) にします。層の軸がなければ unsqueeze(0) で足します。",
        ),
    ),
    Message(
        "cell-batch",
        (r"Input batch size (?P<have>\d+) doesn't match hidden(?P<which>\d*) batch size (?P<want>\d+)",),
        (
            "The state of a cell must have one row per sample.",
            "The batch size is {have} in the input, but {want} in state {which}.",
            "The state was made for a full batch and this batch is smaller, or the state of the previous batch was "
            "used again.",
            "Create the state with x.size(0) rows, or use drop_last=True.",
        ),
        (
            "El estado de una celda debe tener una fila por muestra.",
            "El tamaño del lote es {have} en la entrada, pero {want} en el estado {which}.",
            "El estado se hizo para un lote completo y este lote es menor, o se volvió a usar el estado del lote "
            "anterior.",
            "Crea el estado con x.size(0) filas, o usa drop_last=True.",
        ),
        (
            "セルの状態には、サンプルごとに 1 行が必要です。",
            "バッチサイズは、入力では {have}、状態 {which} では {want} です。",
            "状態を通常のバッチサイズで作ったがこのバッチは小さいか、前のバッチの状態を使い回しています。",
            "状態を x.size(0) 行で作るか、drop_last=True とします。",
        ),
    ),
    Message(
        "pack-lengths",
        (r"Expected `len\(lengths\)` to be equal to batch_size, but got (?P<have>\d+) \(batch_size=(?P<want>\d+)\)",),
        (
            "pack_padded_sequence expects one length per sample.",
            "{have} lengths were passed, but the batch size is {want}.",
            "batch_first=True is missing, so the sequence axis is read as the batch; or the lengths belong to a "
            "different batch.",
            "For (batch, seq, …) data, set batch_first=True. If you shuffle or sort the samples, reorder their "
            "lengths in the same way.",
        ),
        (
            "pack_padded_sequence espera una longitud por muestra.",
            "Se pasaron {have} longitudes, pero el tamaño del lote es {want}.",
            "Falta batch_first=True, y el eje de secuencia se lee como lote; o las longitudes son de otro lote.",
            "Con datos (lote, seq, …), indica batch_first=True. Si barajas u ordenas las muestras, reordena igual "
            "sus longitudes.",
        ),
        (
            "pack_padded_sequence には、サンプルごとに 1 つの長さが必要です。",
            "長さが {have} 個渡されましたが、バッチサイズは {want} です。",
            "batch_first=True がないため系列の軸がバッチとして読まれているか、長さが別のバッチのものです。",
            "(バッチ, 系列, …) のデータなら batch_first=True とします。サンプルをシャッフルしたり並べ替えたりするとき"
            "は、長さも同じように並べ替えます。",
        ),
    ),
    Message(
        "pack-order",
        (
            r"`lengths` array must be sorted in decreasing order when `enforce_sorted` is True",
            r"(?P<zero>Length of all samples has to be greater than 0)[^\n]*",
            r"'lengths' argument should be a 1D CPU int64 tensor[^\n]*",
        ),
        (
            "The lengths must be positive integers in a 1-d tensor on the CPU (or in a list). Unless you pass "
            "enforce_sorted=False, they must be sorted from longest to shortest.",
            "A length is 0, the lengths are not sorted, or they are not a 1-d tensor on the CPU.",
            "The samples are not sorted by length, a text is empty after cleaning, or the lengths were moved to the "
            "GPU with the batch.",
            "Pass enforce_sorted=False and lengths.cpu(), and remove empty samples.",
        ),
        (
            "Las longitudes deben ser enteros positivos en un tensor 1-d en la CPU (o en una lista). Salvo que pases "
            "enforce_sorted=False, deben estar ordenadas de mayor a menor.",
            "Una longitud es 0, las longitudes no están ordenadas, o no son un tensor 1-d en la CPU.",
            "Las muestras no están ordenadas por longitud, un texto quedó vacío tras limpiarlo, o las longitudes "
            "pasaron a la GPU con el lote.",
            "Pasa enforce_sorted=False y lengths.cpu(), y quita las muestras vacías.",
        ),
        (
            "長さは正の整数で、CPU 上の 1 次元テンソル (またはリスト) に入れます。enforce_sorted=False を渡さないかぎ"
            "り、長い順に並んでいなければなりません。",
            "長さに 0 がある、長さが順に並んでいない、CPU 上の 1 次元テンソルではない、のいずれかです。",
            "サンプルが長さの順に並んでいない、前処理で空になった文がある、長さをバッチと一緒に GPU に移した、のいず"
            "れかです。",
            "enforce_sorted=False と lengths.cpu() を渡し、空のサンプルを除きます。",
        ),
    ),
)
