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
            "Here the first axis of the scores and of the targets is the batch; its size must be the same.",
            "The batch size is {have} in the scores, but {want} in the targets.",
            "A view with a hard-coded size folds several samples into one row, or one sample into several: "
            "{ratio}, a factor of {times}.\nFor sequences, the scores were flattened to (batch · time, classes) "
            "and the targets were not, or the other way round.\nx.view(-1, n) with a wrong n that divides the "
            "number of elements does not fail; it changes the batch axis instead.",
            "Write x.view(x.size(0), -1) or flatten(1) before the last layer.\nFor sequences: loss(logits.reshape(-1, "
            "classes), targets.reshape(-1)).",
        ),
        (
            "Aquí el primer eje de las puntuaciones y el de los objetivos es el lote, y deben coincidir.",
            "El tamaño del lote es {have} en las puntuaciones, pero {want} en los objetivos.",
            "Un view con un tamaño fijo escrito en el código pliega varias muestras en una fila, o una en varias: "
            "{ratio}, un factor {times}.\nEn secuencias, las puntuaciones se aplanaron a (lote · tiempo, clases) y "
            "los objetivos no, o al revés.\nx.view(-1, n) con un n equivocado que divide el número de elementos no "
            "falla: cambia en su lugar el eje de lote.",
            "Escribe x.view(x.size(0), -1) o flatten(1) antes de la última capa.\nEn secuencias: "
            "loss(logits.reshape(-1, clases), objetivos.reshape(-1)).",
        ),
        (
            "ここではスコアとターゲットの最初の軸がバッチで、サイズが同じでなければなりません。",
            "バッチサイズは、スコアでは {have}、ターゲットでは {want} です。",
            "サイズを直接書いた view が複数のサンプルを 1 行に (または 1 つを複数行に) まとめています: {ratio}、"
            "{times} 倍です。\n系列では、スコアだけを (バッチ · 時間, クラス) に平坦化してターゲットはそのまま、ま"
            "たはその逆です。\nx.view(-1, n) は、n が間違っていても要素数を割り切れば失敗せず、バッチの軸から補って"
            "しまいます。",
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
            "Here the class indices come one per sample: targets (batch,) for scores (batch, classes), or one index "
            "for scores (classes,).",
            "The targets do not have this shape.\nThe scores are a single vector, but there are {size} targets.",
            "Labels have shape (batch, 1): they are a DataFrame column, or have an axis for the tasks.\nLabels are "
            "one-hot rows; class indices are expected, or floats of exactly the shape of the scores.\nsqueeze() "
            "removed the batch axis of the scores.",
            "Use targets.squeeze(-1) for a column, targets.argmax(-1) for one-hot rows.\nFor several labels per "
            "sample use BCEWithLogitsLoss.",
        ),
        (
            "Aquí los índices de clase van uno por muestra: objetivos (lote,) con puntuaciones (lote, clases), o un "
            "índice con puntuaciones (clases,).",
            "Los objetivos no tienen esa forma.\nLas puntuaciones son un solo vector, pero hay {size} objetivos.",
            "Las etiquetas tienen forma (lote, 1): son una columna de un DataFrame, o tienen un eje para las tareas.\n"
            "Las etiquetas son filas one-hot; se esperan índices de clase, o flotantes con la forma exacta de las "
            "puntuaciones.\nsqueeze() quitó el eje de lote de las puntuaciones.",
            "Usa objetivos.squeeze(-1) para una columna, objetivos.argmax(-1) para filas one-hot.\nSi cada muestra "
            "tiene varias etiquetas, usa BCEWithLogitsLoss.",
        ),
        (
            "ここではクラス番号はサンプルごとに 1 つです。スコア (バッチ, クラス) にはターゲット (バッチ,)、スコア (ク"
            "ラス,) にはクラス番号 1 つを渡します。",
            "ターゲットの形状がこれと違います。\nスコアは 1 つのベクトルですが、ターゲットは {size} 個です。",
            "ラベルの形状が (バッチ, 1) です (DataFrame の列をそのまま使ったか、タスクの軸があります)。\nラベルが "
            "one-hot です。クラス番号か、スコアと同じ形状の浮動小数にします。\nsqueeze() "
            "がスコアのバッチの軸を消しています。",
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
            "With more than two axes, cross entropy expects scores (batch, classes, …) and as targets either class "
            "indices (batch, …), the same axes without classes, or class probabilities of the scores' shape.",
            "The targets have shape {have}.\nThe number of axes of the targets is {axes}.\nExpected: ({want}).\n"
            "The scores have shape {input}.",
            "Sequence scores are (batch, time, classes): the time axis is where the classes belong.\nSegmentation "
            "masks carry a channel axis: (batch, 1, h, w).",
            "Sequences: loss(logits.transpose(1, 2), targets), or flatten both: logits.reshape(-1, classes), "
            "targets.reshape(-1).\nMasks: mask.squeeze(1).long().",
        ),
        (
            "Con más de dos ejes, la entropía cruzada espera puntuaciones (lote, clases, …) y, como objetivos, índices "
            "de clase (lote, …), los mismos ejes sin clases, o probabilidades con la forma de las puntuaciones.",
            "Los objetivos tienen forma {have}.\nEl número de ejes de los objetivos es {axes}.\nSe espera "
            "({want}).\nLas puntuaciones tienen forma {input}.",
            "Las puntuaciones de secuencias son (lote, tiempo, clases): el tiempo ocupa el sitio de las clases.\nLas "
            "máscaras de segmentación llevan un eje de canal: (lote, 1, h, w).",
            "Secuencias: loss(logits.transpose(1, 2), objetivos), o aplana ambos: logits.reshape(-1, clases), "
            "objetivos.reshape(-1).\nMáscaras: mask.squeeze(1).long().",
        ),
        (
            "軸が 3 つ以上のとき、cross entropy はスコア (バッチ, クラス, …) を取ります。ターゲットは、クラスの軸を"
            "除いた形状 (バッチ, …) のクラス番号か、スコアと同じ形状のクラス確率です。",
            "ターゲットの形状は {have} です。\nターゲットは {axes} 次元です。\n必要なのは ({want}) です。\nスコアの"
            "形状は {input} です。",
            "系列のスコアが (バッチ, 時間, クラス) で、クラスの位置に時間があります。"
            "\nセグメンテーションのマスクにチャネルの軸 (バッチ, 1, h, w) が残っています。",
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
            "Class indices run from 0 to classes - 1 (besides ignore_index); the classes are on axis 1 of the "
            "scores (on axis 0 for a single sample).",
            "A target is {target}, so at least {needed} classes would be needed.\nA target is negative or not "
            "below the number of classes.",
            "Labels start at 1 instead of 0, the last layer has too few outputs, or the label of ignored entries "
            "(-1, 255) is not set as ignore_index.\nSequence scores (batch, time, classes) were not transposed, so "
            "time is taken for the classes.",
            "Compare targets.max() + 1 with the outputs of the last layer; subtract 1, widen the layer, or set "
            "ignore_index.",
        ),
        (
            "Los índices de clase van de 0 a clases - 1 (aparte de ignore_index); las clases están en el eje 1 "
            "de las puntuaciones (en el eje 0 si es una sola muestra).",
            "Un objetivo vale {target}: harían falta al menos {needed} clases.\nUn objetivo es negativo o no es "
            "menor que el número de clases.",
            "Las etiquetas empiezan en 1 y no en 0, la última capa tiene pocas salidas, o la etiqueta de lo que se "
            "ignora (-1, 255) no se indicó como ignore_index.\nLas puntuaciones (lote, tiempo, clases) no se "
            "traspusieron, y el tiempo se toma por clases.",
            "Compara objetivos.max() + 1 con las salidas de la última capa; resta 1, amplía la capa o pon "
            "ignore_index.",
        ),
        (
            "クラス番号は 0 からクラス数 - 1 まで (ignore_index は別) です。クラスはスコアの軸 1 (1 サンプルだけ"
            "なら軸 0) にあります。",
            "ターゲットに {target} があり、クラスは少なくとも {needed} 必要です。\n負の数か、クラス数以上のターゲッ"
            "トがあります。",
            "ラベルが 1 から始まる、最後の層の出力が足りない、無効ラベル (-1、255) を ignore_index にしていない、"
            "のいずれかです。\n"
            "スコア (バッチ, 時間, クラス) を転置しておらず、時間をクラスとみなしています。",
            "targets.max() + 1 を最後の層の出力数と比べます。1 を引く、層を広げる、ignore_index を設定する、"
            "のいずれかです。",
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
            "Class indices should be torch.long, scores a floating-point type that this device supports.",
            "The call got type {have}.",
            "Labels were read as floats or as int32 (NumPy, pandas), the scores are integers, or a regression loss "
            "was intended.",
            "Convert with targets.long() and scores.float(); for regression use a loss such as MSELoss; probabilities "
            "need the shape of the scores.",
        ),
        (
            "Los índices de clase deberían ser torch.long; las puntuaciones, de un tipo de coma flotante que admita "
            "este dispositivo.",
            "La llamada recibió el tipo {have}.",
            "Las etiquetas se leyeron como flotantes o int32 (NumPy, pandas), las puntuaciones son enteras, o se "
            "quería una pérdida de regresión.",
            "Convierte con objetivos.long() y puntuaciones.float(); en regresión, una pérdida como MSELoss; las "
            "probabilidades necesitan la forma de las puntuaciones.",
        ),
        (
            "クラス番号は torch.long、スコアはこのデバイスで使える浮動小数の型にします。",
            "渡された型は {have} です。",
            "ラベルを浮動小数や int32 として読み込んだか (NumPy、pandas)、スコアが整数か、本来は回帰用の損失を使う"
            "ところです。",
            "targets.long() と scores.float() で変換します。回帰なら MSELoss などの損失、確率ならスコアと同じ形状にし"
            "ます。",
        ),
    ),
    Message(
        "long-expected",
        (r"[Ee]xpected scalar type Long but found (?P<have>\w+)",),
        (
            "This call expects a tensor of type long.",
            "It got type {have}.",
            "Class labels or indices are floats or small integers.\nIn a product (bmm, @), one operand is long and "
            "the other is not.",
            "Use .long() for class indices and other indices, .float() for the targets of BCE and regression losses "
            "and for both operands of a product.",
        ),
        (
            "Esta llamada espera un tensor de tipo long.",
            "Recibió el tipo {have}.",
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
            "Targets of the same shape as the scores are read as class probabilities, which are floats.",
            "The targets have type {have}.",
            "The targets are one-hot rows of integers; or one class index per sample was intended.",
            "Use targets.argmax(1) for one-hot rows with the classes on axis 1, or targets.float() for probabilities.",
        ),
        (
            "Los objetivos con la misma forma que las puntuaciones se leen como probabilidades de clase, que son "
            "flotantes.",
            "Los objetivos son de tipo {have}.",
            "Los objetivos son filas one-hot de enteros; o se quería un índice de clase por muestra.",
            "Usa objetivos.argmax(1) con filas one-hot cuyas clases están en el eje 1, u objetivos.float() con "
            "probabilidades.",
        ),
        (
            "スコアと同じ形状のターゲットはクラス確率とみなされ、浮動小数でなければなりません。",
            "ターゲットの型は {have} です。",
            "ターゲットが整数の one-hot になっているか、本来はサンプルごとに 1 つのクラス番号を渡すところです。",
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
            "weight needs one entry per class; the classes are on axis 1 of the scores (on axis 0 for a single "
            "sample).",
            "The number of classes is {want}, but weight has shape {have}.",
            "A class was added or dropped, or the scores are transposed.",
            "If {want} classes are right, give weight the length {want}; if not, put the classes on the right axis.",
        ),
        (
            "weight necesita una entrada por clase; las clases están en el eje 1 de las puntuaciones (en el eje 0 "
            "si es una sola muestra).",
            "El número de clases es {want}, pero weight tiene forma {have}.",
            "Se añadió o quitó una clase, o las puntuaciones están traspuestas.",
            "Si {want} clases es lo correcto, da a weight la longitud {want}; si no, pon las clases en su eje.",
        ),
        (
            "weight はクラスごとに 1 つ必要です。クラスはスコアの軸 1 (1 サンプルだけなら軸 0) にあります。",
            "クラスは {want} 個ですが、weight の形状は {have} です。",
            "クラスが増減したか、スコアが転置されています。",
            "クラス数が {want} で正しければ weight の長さを {want} にし、そうでなければクラスの軸を正しい位"
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
            "There must be one class index per row of scores.",
            "The targets have shape {have}; {want} is expected.",
            "Scores and targets come from different batches, or only one of them was flattened.",
            "Take scores and targets from the same batch.",
        ),
        (
            "Debe haber un índice de clase por fila de puntuaciones.",
            "Los objetivos tienen forma {have}; se espera {want}.",
            "Puntuaciones y objetivos vienen de lotes distintos, o solo uno de los dos se aplanó.",
            "Toma puntuaciones y objetivos del mismo lote.",
        ),
        (
            "スコア 1 行につき、クラス番号が 1 つ必要です。",
            "ターゲットの形状は {have}、必要なのは {want} です。",
            "スコアとターゲットが別のバッチのものか、片方だけ平坦化されています。",
            "スコアとターゲットを同じバッチから取ります。",
        ),
    ),
)
