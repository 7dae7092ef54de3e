"""Cross entropy and the other losses over classes."""

from ..arithmetic import ratio
from ..model import Message


def _batches(field: dict[str, str]) -> dict[str, object]:
    have, want = int(field["have"]), int(field["want"])
    times = max(have, want) // max(1, min(have, want))
    return {
        "ratio": ratio(have, want),
        "times": times if min(have, want) and max(have, want) % min(have, want) == 0 and times > 1 else "",
    }


MESSAGES = (
    Message(
        "target-batch",
        (
            r"Expected input batch_size \((?P<have>\d+)\) to match target batch_size \((?P<want>\d+)\)",
            r"size mismatch \(got input: \[(?P<have>\d+)(?:, \d+)*\],? target: \[(?P<want>\d+)\]\)",
        ),
        (
            "The first axis of the scores and the first axis of the targets are the batch; they must have the same "
            "size.",
            "The batch size is {have} in the scores, but {want} in the targets.",
            "A view with a hard-coded size merges several samples into one row, or splits one sample over several "
            "rows: {ratio}, a factor of {times}.\nFor sequences, the scores were flattened to (batch · time, "
            "classes) but the targets were not, or only the targets were flattened.\nx.view(-1, n) with a wrong n "
            "does not fail if n divides the number of elements; it changes the batch size instead.",
            "Write x.view(x.size(0), -1) or flatten(1) before the last layer.\nFor sequences: loss(logits.reshape(-1, "
            "classes), targets.reshape(-1)).",
        ),
        (
            "El primer eje de las puntuaciones y el primer eje de los objetivos son el lote; deben tener el mismo "
            "tamaño.",
            "El tamaño del lote es {have} en las puntuaciones, pero {want} en los objetivos.",
            "Un view con un tamaño fijo une varias muestras en una fila, o reparte una muestra en varias filas: "
            "{ratio}, un factor de {times}.\nEn secuencias, las puntuaciones se aplanaron a (lote · tiempo, clases) "
            "y los objetivos no, o solo se aplanaron los objetivos.\nx.view(-1, n) con un n equivocado no falla si n "
            "divide el número de elementos, pero cambia el tamaño del lote.",
            "Escribe x.view(x.size(0), -1) o flatten(1) antes de la última capa.\nEn secuencias: "
            "loss(logits.reshape(-1, clases), objetivos.reshape(-1)).",
        ),
        (
            "スコアの最初の軸とターゲットの最初の軸がバッチです。両者のサイズは同じでなければなりません。",
            "バッチサイズは、スコアでは {have}、ターゲットでは {want} です。",
            "サイズを直接書いた view が、複数のサンプルを 1 行にまとめるか、1 つのサンプルを複数行に分けています: "
            "{ratio}、{times} 倍です。\n系列のスコアだけを (バッチ · 時間, クラス) に平坦化したか、ターゲットだけを平"
            "坦化しています。\nx.view(-1, n) は、n が間違っていても要素数を割り切れば失敗せず、代わりにバッチサイズが"
            "変わります。",
            "最後の層の前で x.view(x.size(0), -1) か flatten(1) とします。\n系列なら loss(logits.reshape(-1, "
            "クラス数), "
            "targets.reshape(-1)) です。",
        ),
        sums=_batches,
    ),
    Message(
        "multi-target",
        (
            r"0D or 1D target tensor expected, multi-target not supported",
            r"1D target tensor expected, multi-target not supported",
            r"multi-target not supported at",
            r"For 1D input, 1D target must have size 1, but got target size: (?P<size>\d+)",
        ),
        (
            "Each sample needs one class index: targets (batch,) for scores (batch, classes), or a single index for "
            "scores (classes,).",
            "The targets have a shape that does not fit the scores.\nThe scores are a single vector, but there are "
            "{size} targets.",
            "The labels have shape (batch, 1), for example because they come from a DataFrame column.\nThe labels "
            "are one-hot rows; the loss expects class indices, or floats in exactly the shape of the scores.\n"
            "squeeze() removed the batch axis of the scores.",
            "Use targets.squeeze(-1) for a column, targets.argmax(-1) for one-hot rows.\nFor several labels per "
            "sample use BCEWithLogitsLoss.",
        ),
        (
            "Cada muestra necesita un índice de clase: objetivos (lote,) con puntuaciones (lote, clases), o un solo "
            "índice con puntuaciones (clases,).",
            "Los objetivos tienen una forma que no encaja con las puntuaciones.\nLas puntuaciones son un solo "
            "vector, pero hay {size} objetivos.",
            "Las etiquetas tienen forma (lote, 1), por ejemplo porque vienen de una columna de un DataFrame.\nLas "
            "etiquetas son filas one-hot; la pérdida espera índices de clase, o flotantes con la forma exacta de las "
            "puntuaciones.\nsqueeze() quitó el eje de lote de las puntuaciones.",
            "Usa objetivos.squeeze(-1) para una columna, objetivos.argmax(-1) para filas one-hot.\nSi cada muestra "
            "tiene varias etiquetas, usa BCEWithLogitsLoss.",
        ),
        (
            "クラス番号はサンプルごとに 1 つ必要です。スコア (バッチ, クラス) にはターゲット (バッチ,)、スコア (クラ"
            "ス,) にはクラス番号 1 つを渡します。",
            "ターゲットの形状がスコアに合いません。\nスコアは 1 つのベクトルですが、ターゲットは {size} 個です。",
            "ラベルの形状が (バッチ, 1) です (DataFrame の列から作った場合など)。\nラベルが one-hot です。この損失に"
            "は、クラス番号か、スコアとまったく同じ形状の浮動小数が必要です。\nsqueeze() がスコアのバッチの軸を消して"
            "います。",
            "列なら targets.squeeze(-1)、one-hot なら targets.argmax(-1) です。\n1 サンプルに複数のラベルがあるなら "
            "BCEWithLogitsLoss を使います。",
        ),
    ),
    Message(
        "spatial-target",
        (
            r"only batches of spatial targets supported \((?:3D|non-empty 3D) tensors\) but got targets of "
            r"(?:dimension: (?P<axes>\d+)|size:? ?:? ?(?P<have>[\d, \[\]]+))",
            r"input and target batch or spatial sizes don't match: target \[?(?P<have>[\d x,]+?)\]?,? input "
            r"\[?(?P<input>[\d x,]+)\]?",
            r"Expected target size \(?\[?(?P<want>\d+(?:, \d+)*)\]?\)?, got (?:torch\.Size\()?\[?(?P<have>\d+(?:, "
            r"\d+)*)\]?\)?",
        ),
        (
            "With more than two axes, cross entropy expects scores (batch, classes, …). The targets are class "
            "indices (batch, …), without the class axis, or class probabilities in the shape of the scores.",
            "The targets have shape {have}.\nThe number of axes of the targets is {axes}.\nExpected: ({want}).\n"
            "The scores have shape {input}.",
            "The scores of sequences are (batch, time, classes), so axis 1 is the time instead of the classes.\n"
            "Segmentation masks still have a channel axis: (batch, 1, h, w).",
            "Sequences: loss(logits.transpose(1, 2), targets), or flatten both: logits.reshape(-1, classes), "
            "targets.reshape(-1).\nMasks: mask.squeeze(1).long().",
        ),
        (
            "Con más de dos ejes, la entropía cruzada espera puntuaciones (lote, clases, …). Los objetivos son "
            "índices de clase (lote, …), sin el eje de clases, o probabilidades de clase con la forma de las "
            "puntuaciones.",
            "Los objetivos tienen forma {have}.\nEl número de ejes de los objetivos es {axes}.\nSe espera "
            "({want}).\nLas puntuaciones tienen forma {input}.",
            "Las puntuaciones de secuencias son (lote, tiempo, clases), así que el eje 1 es el tiempo y no las "
            "clases.\nLas máscaras de segmentación aún tienen un eje de canal: (lote, 1, h, w).",
            "Secuencias: loss(logits.transpose(1, 2), objetivos), o aplana ambos: logits.reshape(-1, clases), "
            "objetivos.reshape(-1).\nMáscaras: mask.squeeze(1).long().",
        ),
        (
            "軸が 3 つ以上のとき、cross entropy はスコア (バッチ, クラス, …) を取ります。ターゲットは、クラスの軸を"
            "除いた形状 (バッチ, …) のクラス番号か、スコアと同じ形状のクラス確率です。",
            "ターゲットの形状は {have} です。\nターゲットの軸は {axes} つです。\n必要なのは ({want}) です。\nスコアの"
            "形状は {input} です。",
            "系列のスコアが (バッチ, 時間, クラス) のため、軸 1 がクラスではなく時間になっています。\nセグメンテーシ"
            "ョンのマスクにチャネルの軸 (バッチ, 1, h, w) が残っています。",
            "系列なら loss(logits.transpose(1, 2), targets)、または両方を平坦化します: logits.reshape(-1, クラス数), "
            "targets.reshape(-1)。"
            "\nマスクなら mask.squeeze(1).long() です。",
        ),
    ),
    Message(
        "target-range",
        (
            r"Target (?P<target>-?\d+) is out of bounds",
            r"Assertion [`']?t >= 0 && t < n_classes[`']? failed",
            r"Assertion [`']?cur_target >= 0 && cur_target < n_classes[`']? failed",
        ),
        (
            "With C classes, class indices must be between 0 and C - 1, or equal to ignore_index; the classes are "
            "axis 1 of the scores (axis 0 for a single sample).",
            "A target is {target}, which would need at least {needed} classes.\nA target is negative, or is equal to "
            "or greater than the number of classes.",
            "The labels start at 1 instead of 0, the last layer has too few outputs, or the label of entries to "
            "ignore (-1, 255) was not passed as ignore_index.\nThe scores of sequences (batch, time, classes) were "
            "not transposed, so axis 1 is the time instead of the classes.",
            "Compare targets.max() + 1 with the number of outputs of the last layer; then subtract 1 from the "
            "labels, give the layer more outputs, or set ignore_index.\nFor sequences, pass logits.transpose(1, 2).",
        ),
        (
            "Con C clases, los índices de clase deben estar entre 0 y C - 1, o ser iguales a ignore_index; las "
            "clases son el eje 1 de las puntuaciones (el eje 0 si es una sola muestra).",
            "Un objetivo es {target}: harían falta al menos {needed} clases.\nUn objetivo es negativo, o es igual o "
            "mayor que el número de clases.",
            "Las etiquetas empiezan en 1 y no en 0, la última capa tiene muy pocas salidas, o la etiqueta de las "
            "entradas que se ignoran (-1, 255) no se pasó como ignore_index.\nLas puntuaciones de secuencias (lote, "
            "tiempo, clases) no se traspusieron, así que el eje 1 es el tiempo y no las clases.",
            "Compara objetivos.max() + 1 con el número de salidas de la última capa; después resta 1 a las "
            "etiquetas, da más salidas a la capa o indica ignore_index.\nEn secuencias, pasa logits.transpose(1, 2).",
        ),
        (
            "クラスが C 個なら、クラス番号は 0 から C - 1 まで、または ignore_index の値です。クラスはスコアの軸 1 "
            "(1 サンプルだけなら軸 0) です。",
            "ターゲットに {target} があり、クラスが少なくとも {needed} 個必要です。\n負のターゲットか、クラス数以上の"
            "ターゲットがあります。",
            "ラベルが 0 ではなく 1 から始まる、最後の層の出力が足りない、無視するラベル (-1、255) を ignore_index に"
            "渡していない、のいずれかです。\n系列のスコア (バッチ, 時間, クラス) を転置していないため、軸 1 がクラス"
            "ではなく時間になっています。",
            "targets.max() + 1 を最後の層の出力数と比べます。そのうえで、ラベルから 1 を引く、層の出力を増やす、"
            "ignore_index を設定する、のいずれかを行います。\n系列なら logits.transpose(1, 2) を渡します。",
        ),
        sums=lambda field: {
            "needed": int(field["target"]) + 1 if field.get("target") and int(field["target"]) >= 0 else "",
            "target": field.get("target", ""),
        },
    ),
    Message(
        "target-type",
        (
            r"expected target dtype to be Long or Byte, but got (?P<have>\w+)",
            r"\"(?:nll_loss\w*|cross_entropy\w*)\" not implemented for '(?P<have>\w+)'",
        ),
        (
            "Class indices should have type torch.long; scores should have a floating-point type that the device "
            "supports.",
            "The call got type {have}.",
            "The labels were read as floats or as int32 (NumPy, pandas), the scores are integers, or the task is "
            "regression, which needs a different loss.",
            "Convert with targets.long() and scores.float(). For regression use a loss such as MSELoss. Class "
            "probabilities as targets must have the shape of the scores.",
        ),
        (
            "Los índices de clase deberían ser de tipo torch.long; las puntuaciones, de un tipo de coma flotante que "
            "admita el dispositivo.",
            "La llamada recibió el tipo {have}.",
            "Las etiquetas se leyeron como flotantes o int32 (NumPy, pandas), las puntuaciones son enteras, o la "
            "tarea es de regresión y necesita otra pérdida.",
            "Convierte con objetivos.long() y puntuaciones.float(). En regresión usa una pérdida como MSELoss. Si "
            "los objetivos son probabilidades de clase, deben tener la forma de las puntuaciones.",
        ),
        (
            "クラス番号は torch.long、スコアはデバイスで使える浮動小数の型にします。",
            "渡された型は {have} です。",
            "ラベルを浮動小数や int32 として読み込んだか (NumPy、pandas)、スコアが整数か、本来は別の損失を使うべき回"
            "帰の問題です。",
            "targets.long() と scores.float() で変換します。回帰なら MSELoss などの損失を使います。ターゲットがクラス"
            "確率なら、スコアと同じ形状にします。",
        ),
    ),
    Message(
        "long-expected",
        (r"[Ee]xpected scalar type Long but found (?P<have>\w+)",),
        (
            "This call expects a tensor of type long.",
            "The call got a tensor of type {have}.",
            "Class labels or indices are floats or small integers.\nIn a product (bmm, @), one operand is long and "
            "the other is not.",
            "Use .long() for class indices and other indices, .float() for the targets of BCE and regression losses "
            "and for both operands of a product.",
        ),
        (
            "Esta llamada espera un tensor de tipo long.",
            "La llamada recibió un tensor de tipo {have}.",
            "Las etiquetas de clase o los índices son flotantes o enteros pequeños.\nEn un producto (bmm, @), un "
            "operando es long y el otro no.",
            "Usa .long() en los índices de clase y demás índices, .float() en los objetivos de BCE y de las pérdidas "
            "de regresión y en ambos operandos de un producto.",
        ),
        (
            "この呼び出しには long 型のテンソルが必要です。",
            "渡された型は {have} です。",
            "クラスラベルや添字が浮動小数か小さな整数型です。\n積 (bmm、@) で、片方のオペランドだけが long です。",
            "クラス番号などの添字は .long()、BCE や回帰の損失のターゲットと積の両オペランドは .float() とします。",
        ),
    ),
    Message(
        "target-probabilities",
        (r"Expected floating point type for target with class probabilities, got (?P<have>\w+)",),
        (
            "Targets with the same shape as the scores are read as class probabilities, so they must be floats.",
            "The targets have type {have}.",
            "The targets are one-hot rows of integers, or the loss should get one class index per sample.",
            "Use targets.argmax(1) for one-hot rows with the classes on axis 1, or targets.float() for probabilities.",
        ),
        (
            "Los objetivos con la misma forma que las puntuaciones se leen como probabilidades de clase, así que "
            "deben ser flotantes.",
            "Los objetivos son de tipo {have}.",
            "Los objetivos son filas one-hot de enteros, o la pérdida debería recibir un índice de clase por muestra.",
            "Usa objetivos.argmax(1) con filas one-hot cuyas clases están en el eje 1, u objetivos.float() con "
            "probabilidades.",
        ),
        (
            "スコアと同じ形状のターゲットはクラス確率とみなされるため、浮動小数でなければなりません。",
            "ターゲットの型は {have} です。",
            "ターゲットが整数の one-hot になっています。または、本来はサンプルごとに 1 つのクラス番号を渡すべきところ"
            "です。",
            "軸 1 がクラスの one-hot なら targets.argmax(1)、確率なら targets.float() とします。",
        ),
    ),
    Message(
        "class-weight",
        (
            r"weight tensor should be defined either for all (?P<want>\d+)(?: or no)? classes or no classes but got "
            r"weight tensor of shape: (?P<have>\[[^\]]*\])",
        ),
        (
            "weight needs one entry per class; the classes are axis 1 of the scores (axis 0 for a single sample).",
            "The number of classes is {want}, but weight has shape {have}.",
            "A class was added or removed, or the scores are transposed.",
            "If {want} is the correct number of classes, give weight {want} entries; if not, move the classes to the "
            "correct axis of the scores.",
        ),
        (
            "weight necesita una entrada por clase; las clases son el eje 1 de las puntuaciones (el eje 0 si es una "
            "sola muestra).",
            "El número de clases es {want}, pero weight tiene forma {have}.",
            "Se añadió o quitó una clase, o las puntuaciones están traspuestas.",
            "Si el número correcto de clases es {want}, da a weight {want} entradas; si no, lleva las clases al eje "
            "correcto de las puntuaciones.",
        ),
        (
            "weight にはクラスごとに要素が 1 つ必要です。クラスはスコアの軸 1 (1 サンプルだけなら軸 0) です。",
            "クラスは {want} 個ですが、weight の形状は {have} です。",
            "クラスが増減したか、スコアが転置されています。",
            "クラス数が {want} で正しければ weight の要素数を {want} にし、そうでなければスコアのクラスの軸を正しい位"
            "置に移します。",
        ),
    ),
    Message(
        "multi-margin",
        (
            r"target tensor should be 1-D with size equal to the number of input samples \(batch size\)\. Expected "
            r"target size (?P<want>\[[^\]]*\]), but got (?P<have>\[[^\]]*\])",
            r"multi_margin_loss[^\n]*inconsistent target size[^\n]*",
        ),
        (
            "Each row of scores needs one class index.",
            "The targets have shape {have}; {want} is expected.",
            "The scores and the targets come from different batches, or only one of the two was flattened.",
            "Take scores and targets from the same batch, and flatten both or neither.",
        ),
        (
            "Cada fila de puntuaciones necesita un índice de clase.",
            "Los objetivos tienen forma {have}; se espera {want}.",
            "Puntuaciones y objetivos vienen de lotes distintos, o solo uno de los dos se aplanó.",
            "Toma puntuaciones y objetivos del mismo lote, y aplana los dos o ninguno.",
        ),
        (
            "スコア 1 行につき、クラス番号が 1 つ必要です。",
            "ターゲットの形状は {have}、必要なのは {want} です。",
            "スコアとターゲットが別のバッチのものか、片方だけ平坦化されています。",
            "スコアとターゲットを同じバッチから取り、平坦化するなら両方を平坦化します。",
        ),
    ),
)
