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
            "A recurrent layer reads the last axis as features, and the size of that axis must be its input_size.",
            "The layer has input_size={want}, but the last axis has size {have}.",
            "Features were added or removed without changing input_size.\nThe axes are permuted: time or batch is "
            "last (a permute too many, or the wrong one).\nToken ids were passed without Embedding or one-hot "
            "encoding.",
            "Print the shape: a batch is (seq, batch, {want}) by default, (batch, seq, {want}) with "
            "batch_first=True, (batch, {want}) for a cell.\nIf {have} is right, set input_size={have}.",
        ),
        (
            "Una capa recurrente lee el último eje como características; ese eje debe tener tamaño input_size.",
            "La capa tiene input_size={want}, pero el último eje tiene tamaño {have}.",
            "Se añadieron o quitaron características sin cambiar input_size.\n"
            "Los ejes están permutados: el tiempo o el lote está al final (un permute de más, o el equivocado).\n"
            "Se pasaron ids de tokens sin Embedding ni one-hot.",
            "Imprime la forma: un lote es (seq, lote, {want}) por defecto; (lote, seq, {want}) con "
            "batch_first=True; (lote, {want}) en una celda.\nSi lo correcto es {have}, pon "
            "input_size={have}.",
        ),
        (
            "再帰層は最後の軸を特徴として読みます。そのサイズは input_size と同じです。",
            "層は input_size={want} ですが、最後の軸のサイズは {have} です。",
            "特徴を足したり減らしたりしたのに、input_size を変えていません。\n軸が入れ替わり、"
            "時間かバッチが最後に来ています (余計な permute や間違った permute)。\n"
            "Embedding や one-hot を通さずにトークン ID を渡しています。",
            "形状を表示します。バッチは既定で (系列, バッチ, {want})、batch_first=True なら (バッチ, 系列, "
            "{want})、セルなら (バッチ, {want}) です。\n{have} が正しければ input_size={have} とします。",
        ),
    ),
    Message(
        "rnn-hidden-size",
        (
            r"Expected hidden(?:\[(?P<which>\d)\])? size (?P<want>\(\d+, \d+, \d+\)), got [\[(](?P<have>\d+(?:, "
            r"\d+)*)[\])]",
        ),
        (
            "The hidden state is (layers × directions, batch, hidden size), in this order even with "
            "batch_first=True (no batch for a single sequence); with proj_size, h has that size instead of the "
            "hidden size.",
            "Expected {want}, got ({have}).",
            "Layers × directions differ: {layers}; a bidirectional layer doubles this.\nThe batch differs: "
            "{batch}. The state was made for the full batch and the last batch is smaller, or the input is "
            "(batch, seq, …) without batch_first=True.\nThe hidden size differs: {size}.",
            "Create the state from the current input: torch.zeros(layers * directions, x.size(0), hidden) with "
            "batch_first=True, or pass no state at all (zeros are the default).\nIf the data are (batch, seq, "
            "feature), set batch_first=True.",
        ),
        (
            "El estado oculto es (capas × direcciones, lote, tamaño oculto), en ese orden incluso con "
            "batch_first=True (sin lote si es una sola secuencia); con proj_size, h tiene ese tamaño en lugar "
            "del oculto.",
            "Se esperaba {want} y llegó ({have}).",
            "Difiere capas × direcciones: {layers}; una capa bidireccional lo duplica.\nDifiere el lote: "
            "{batch}. El estado se hizo para el lote completo y el último es menor, o la entrada es (lote, "
            "seq, …) sin batch_first=True.\nDifiere el tamaño oculto: {size}.",
            "Crea el estado a partir de la entrada: torch.zeros(capas * direcciones, x.size(0), oculto) con "
            "batch_first=True, o no pases ninguno (por defecto son ceros).\nSi los datos son (lote, seq, "
            "característica), indica batch_first=True.",
        ),
        (
            "隠れ状態は (層数 × 方向数, バッチ, hidden_size) です。batch_first=True でもこの順です (1 系列だけな"
            "らバッチの軸なし)。proj_size があれば、h では hidden_size の代わりにそのサイズになります。",
            "期待は {want}、実際は ({have}) です。",
            "層数 × 方向数が違います: {layers}。双方向では 2 倍になります。\nバッチが違います: {batch}。バ"
            "ッチいっぱいのサイズで作った状態に小さな最後のバッチが来たか、batch_first=True なしで (バッチ"
            ", 系列, …) を渡しています。\nhidden_size が違います: {size}。",
            "入力から作ります: batch_first=True なら torch.zeros(層数 * 方向数, x.size(0), hidden_size)。"
            "渡さなければゼロになります。\nデータが (バッチ, 系列, 特徴) なら batch_first=True とします。",
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
            "A recurrent layer takes (seq, batch, features), (batch, seq, features) with batch_first=True, or "
            "(seq, features) for one sequence; a cell takes (batch, features) or (features,).",
            "{layer} got a {rank}-d input.\nThe input is {axes}-d.",
            "An image or an extra axis (channels, [None]) was not flattened into features; or a vector of ids came "
            "without embedding.",
            "Flatten all axes after time into features: x.flatten(2); after a CNN, first permute time to its place.",
        ),
        (
            "Una capa recurrente toma (seq, lote, características), (lote, seq, características) con "
            "batch_first=True, o (seq, características) para una sola secuencia; una celda, (lote, "
            "características) o (características,).",
            "{layer} recibió una entrada {rank}-d.\nLa entrada es {axes}-d.",
            "Una imagen o un eje de más (canales, [None]) no se aplanó en características; o llegó un vector de ids "
            "sin embedding.",
            "Aplana en características los ejes que siguen al tiempo: x.flatten(2); tras una CNN, lleva antes el "
            "tiempo a su sitio con permute.",
        ),
        (
            "再帰層の入力は (系列, バッチ, 特徴)、batch_first=True なら (バッチ, 系列, 特徴)、1 系列なら (系列, "
            "特徴) です。セルは (バッチ, 特徴) か (特徴,) です。",
            "{layer} に渡された軸は {rank} つです。\n入力の軸は {axes} つです。",
            "画像や余分な軸 (チャネル、[None] など) が特徴の軸に平坦化されていません。または、埋め込み前の ID が渡され"
            "ています。",
            "時間以外を x.flatten(2) で特徴にまとめます。CNN の後なら、先に permute で時間の軸を正しい位置に移します。",
        ),
    ),
    Message(
        "rnn-hidden-rank",
        (
            r"For (?:batched|unbatched) (?P<input>\d)-D input, hx(?: and cx)? should also be (?P<want>\d)-D but got "
            r"(?P<have>[^\n]*?) tensors?",
        ),
        (
            "Input and state must both have a batch axis, or neither: a 3-d input goes with 3-d states, a 2-d input "
            "with 2-d states.",
            "The input is {input}-d; the states should be {want}-d, but are {have}.",
            "The layer axis of the state is missing, or the batch axis of the input was squeezed away.",
            "State: (layers × directions, batch, hidden); add a missing layer axis with unsqueeze(0).",
        ),
        (
            "La entrada y el estado deben llevar ambos un eje de lote, o ninguno: una entrada 3-d va con estados "
            "3-d, una 2-d con estados 2-d.",
            "La entrada es {input}-d; los estados deberían ser {want}-d, pero son {have}.",
            "Falta el eje de capas del estado, o se quitó el eje de lote de la entrada.",
            "Estado: (capas × direcciones, lote, oculto); si falta el eje de capas, añádelo con unsqueeze(0).",
        ),
        (
            "入力と状態の次元数は揃えます。3 次元の入力には 3 次元の状態、2 次元には 2 次元です。",
            "入力は {input} 次元なので状態は {want} 次元のはずですが、{have} です。",
            "状態に層の軸がないか、入力のバッチの軸が squeeze で消えています。",
            "状態は (層数 × 方向数, バッチ, hidden_size) です。層の軸がなければ unsqueeze(0) で足します。",
        ),
    ),
    Message(
        "cell-batch",
        (r"Input batch size (?P<have>\d+) doesn't match hidden(?P<which>\d*) batch size (?P<want>\d+)",),
        (
            "A cell's state has one row per sample.",
            "The batch size is {have} in the input, but {want} in state {which}.",
            "The state was made for the full batch, and the last batch is smaller; or it was carried over to the next "
            "batch.",
            "Create the state with x.size(0) rows, or use drop_last=True.",
        ),
        (
            "El estado de una celda tiene una fila por muestra.",
            "El tamaño del lote es {have} en la entrada, pero {want} en el estado {which}.",
            "El estado se hizo para el lote completo y el último es menor; o pasó de un lote al siguiente.",
            "Crea el estado con x.size(0) filas, o usa drop_last=True.",
        ),
        (
            "セルの状態は、サンプルごとに 1 行です。",
            "バッチサイズは、入力では {have}、状態 {which} では {want} です。",
            "バッチいっぱいのサイズで作った状態に小さな最後のバッチが来たか、前のバッチの状態を使い回しています。",
            "状態を x.size(0) 行で作るか、drop_last=True とします。",
        ),
    ),
    Message(
        "pack-lengths",
        (r"Expected `len\(lengths\)` to be equal to batch_size, but got (?P<have>\d+) \(batch_size=(?P<want>\d+)\)",),
        (
            "pack_padded_sequence expects one length per sample.",
            "The number of lengths is {have}, but the batch size is {want}.",
            "batch_first=True is missing, so the sequence axis is taken for the batch; or the lengths belong to "
            "another batch.",
            "Set batch_first=True for (batch, seq, …) data, and when shuffling keep each length with its sample.",
        ),
        (
            "pack_padded_sequence espera una longitud por muestra.",
            "El número de longitudes es {have}, pero el tamaño del lote es {want}.",
            "Falta batch_first=True, y el eje de secuencia se toma por lote; o las longitudes son de otro lote.",
            "Indica batch_first=True con datos (lote, seq, …), y al barajar mantén cada longitud junto a su muestra.",
        ),
        (
            "pack_padded_sequence には、サンプルごとに 1 つの長さが必要です。",
            "バッチ {want} に対して長さが {have} 個です。",
            "batch_first=True がなく系列の軸をバッチとみなしているか、長さが別のバッチのものです。",
            "(バッチ, 系列, …) なら batch_first=True とし、シャッフルするときは長さもサンプルと一緒に並べ替えます。",
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
            "Lengths must be positive, in one axis and on the CPU; unless enforce_sorted=False, none may be greater "
            "than the one before it.",
            "The given lengths do not satisfy this condition.",
            "The samples are in data-set order, a text was empty after cleaning, or the lengths were moved to the GPU "
            "with the batch.",
            "Use enforce_sorted=False and lengths.cpu(), and leave empty samples out.",
        ),
        (
            "Las longitudes deben ser positivas, estar en un solo eje y en la CPU; salvo con enforce_sorted=False, "
            "ninguna puede ser mayor que la anterior.",
            "Las longitudes dadas no cumplen esta condición.",
            "Las muestras siguen el orden del conjunto, un texto quedó vacío tras limpiarlo, o las longitudes pasaron "
            "a la GPU con el lote.",
            "Usa enforce_sorted=False y lengths.cpu(), y deja fuera las muestras vacías.",
        ),
        (
            "長さは正の数を 1 つの軸に並べ、CPU 上に置きます。enforce_sorted=False でなければ、どの長さも直前の長さを"
            "超えられません。",
            "渡された長さはこの条件を満たしていません。",
            "データセットの順のまま、前処理で空になった文がある、長さまで GPU に移した、のいずれかです。",
            "enforce_sorted=False と lengths.cpu() を使い、空のサンプルを除きます。",
        ),
    ),
)
