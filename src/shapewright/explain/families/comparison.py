"""Losses that compare tensors of one shape: BCE, MSE, margin ranking, triplet, cosine, Gaussian, CTC."""

from ..arithmetic import numbers
from ..model import Message


def _sizes(field: dict[str, str]) -> dict[str, object]:
    have, want = numbers(field["have"]), numbers(field["want"])
    longer, shorter = (have, want) if len(have) >= len(want) else (want, have)
    return {
        "column": longer if longer[:-1] == shorter and longer[-1:] == [1] else "",
        "product": f"{have[0]} · {want[0]} = {have[0] * want[0]}" if len(shorter) == 1 and longer[1:] == [1] else "",
    }


def _ranking(field: dict[str, str]) -> dict[str, object]:
    one, target = numbers(field["one"]), numbers(field["target"])
    return {"extra": one if len(one) == len(target) + 1 and one[-1] == 1 else "", "batch": one[0] if one else ""}


MESSAGES = (
    Message(
        "binary-target-size",
        (
            r"Target size \(torch\.Size\((?P<want>\[[^\]]*\])\)\) must be the same as input size "
            r"\(torch\.Size\((?P<have>\[[^\]]*\])\)\)",
            r"Using a target size \(torch\.Size\((?P<want>\[[^\]]*\])\)\) that is different to the input size "
            r"\(torch\.Size\((?P<have>\[[^\]]*\])\)\)",
            r"input and target shapes do not match: input (?P<have>\[[^\]]*\]), target (?P<want>\[[^\]]*\])",
        ),
        (
            "This loss compares input and target element by element, so they should have the same shape; BCE also "
            "needs a float target.",
            "The input has shape {have}; the target has shape {want}.",
            "The input or the target has an extra axis of size 1, {column}: the last layer is Linear(…, 1), or the "
            "labels are a column.\nWhere PyTorch only warns (MSE, L1, Huber), the two broadcast: every prediction is "
            "compared with every target ({product} pairs), which pulls all predictions toward the same value.",
            "Remove the extra axis with .squeeze(-1), which also works at batch size 1, or add it to the other "
            "tensor with .unsqueeze(-1). Call .float() on integer targets.",
        ),
        (
            "Esta pérdida compara la entrada y el objetivo elemento a elemento, así que deben tener la misma forma; "
            "BCE necesita además un objetivo float.",
            "La entrada tiene forma {have}; el objetivo tiene forma {want}.",
            "La entrada o el objetivo tiene un eje de más de tamaño 1, {column}: la última capa es Linear(…, 1), o "
            "las etiquetas son una columna.\nDonde PyTorch solo avisa (MSE, L1, Huber), los dos se combinan por "
            "broadcasting: cada predicción se compara con cada objetivo ({product} pares), y todas las predicciones "
            "tienden a un mismo valor.",
            "Quita el eje de más con .squeeze(-1), que también funciona con tamaño de lote 1, o añádelo al otro "
            "tensor con .unsqueeze(-1). Llama a .float() si los objetivos son enteros.",
        ),
        (
            "この損失は入力とターゲットを要素ごとに比べるため、両者は同じ形状にします。さらに、BCE のターゲットは "
            "float にします。",
            "入力の形状は {have}、ターゲットの形状は {want} です。",
            "入力かターゲットに、サイズ 1 の余分な軸があります ({column})。最後の層が Linear(…, 1) か、ラベルが列のま"
            "まです。\nPyTorch が警告だけで進む損失 (MSE、L1、Huber) では両者がブロードキャストされ、すべての予測がす"
            "べてのターゲットと比べられます ({product} 組)。そのため、どの予測も同じ値に近づきます。",
            "余分な軸を .squeeze(-1) で除く (バッチサイズ 1 でも正しく動きます) か、もう一方に .unsqueeze(-1) で軸を"
            "加えます。整数のターゲットには .float() を付けます。",
        ),
        sums=_sizes,
    ),
    Message(
        "margin-ranking",
        (
            r"margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            r"torch\.Size\((?P<one>\[[^\]]*\])\), "
            r"input2: torch\.Size\((?P<two>\[[^\]]*\])\), target: torch\.Size\((?P<target>\[[^\]]*\])\)",
            r"margin_ranking_loss does not support scalars, got sizes: input1: torch\.Size\((?P<one>\[[^\]]*\])\), "
            r"input2: torch\.Size\((?P<two>\[[^\]]*\])\), target: torch\.Size\((?P<target>\[[^\]]*\])\)",
        ),
        (
            "MarginRankingLoss expects three tensors with the same number of axes, normally of the same shape: "
            "input1, input2 and target. The target is 1 where input1 should score higher and -1 where input2 should "
            "score higher.",
            "The shapes are input1 {one}, input2 {two} and target {target}.",
            "The scores still have the axis of size 1 that a Linear(…, 1) head outputs: {extra}. A target made with "
            "torch.ones(scores.size(0)) has only the batch axis, {batch}.",
            "Remove the axis where both scores are computed, with .squeeze(-1) or [:, 0]; or create the target with "
            "torch.ones_like(scores).\nDo not use .squeeze() without a dim: at batch size 1 no axis is left, and "
            "scores.size(0) fails.",
        ),
        (
            "MarginRankingLoss espera tres tensores con el mismo número de ejes, normalmente de la misma forma: "
            "input1, input2 y target. target es 1 donde input1 debe puntuar más alto y -1 donde input2 debe puntuar "
            "más alto.",
            "Las formas son input1 {one}, input2 {two} y target {target}.",
            "Las puntuaciones aún tienen el eje de tamaño 1 que da una cabeza Linear(…, 1): {extra}. Un objetivo "
            "hecho con torch.ones(scores.size(0)) solo tiene el eje del lote, {batch}.",
            "Quita el eje donde se calculan las dos puntuaciones, con .squeeze(-1) o [:, 0]; o crea el objetivo con "
            "torch.ones_like(scores).\nNo uses .squeeze() sin dim: con tamaño de lote 1 no queda ningún eje, y "
            "scores.size(0) falla.",
        ),
        (
            "MarginRankingLoss は軸の数が同じ (普通は同じ形状の) テンソルを 3 つ取ります。input1、input2、target で"
            "す。target は、input1 のスコアを高くすべきところで 1、input2 のスコアを高くすべきところで -1 です。",
            "形状は input1 {one}、input2 {two}、target {target} です。",
            "スコアに、ヘッド Linear(…, 1) のサイズ 1 の軸が残っています: {extra}。torch.ones(scores.size(0)) "
            "で作ったターゲットにはバッチ {batch} "
            "の軸しかありません。",
            "2 つのスコアを計算する箇所で、.squeeze(-1) または [:, 0] を使ってこの軸を除きます。または、ターゲットを "
            "torch.ones_like(scores) で作ります。\ndim のない .squeeze() は使わないでください。バッチサイズ 1 で軸が"
            "なくなり、scores.size(0) が失敗します。",
        ),
        sums=_ranking,
    ),
    Message(
        "triplet",
        (
            r"The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            r"anchor (?P<a>\d)D, positive (?P<b>\d)D, and negative (?P<c>\d)D",
        ),
        (
            "anchor, positive and negative must have the same number of axes: (batch, …, features), or "
            "(features,) for one triplet.",
            "anchor, positive and negative have {a}, {b} and {c} axes.",
            "Each anchor has several negatives, or squeeze() removed the batch axis because the batch size was 1.",
            "Flatten the negatives into the batch axis and repeat anchors and positives with repeat_interleave, or "
            "add the missing axis with unsqueeze.",
        ),
        (
            "anchor, positive y negative deben tener el mismo número de ejes: (lote, …, características), o "
            "(características,) para un solo triplete.",
            "anchor, positive y negative tienen {a}, {b} y {c} ejes.",
            "Cada ancla tiene varios negativos, o squeeze() quitó el eje de lote porque el tamaño de lote era 1.",
            "Aplana los negativos en el eje del lote y repite anclas y positivos con repeat_interleave, o añade el "
            "eje que falta con unsqueeze.",
        ),
        (
            "anchor、positive、negative の軸の数は同じでなければなりません。形状は (バッチ, …, 特徴)、1 組だけな"
            "ら (特徴,) です。",
            "anchor、positive、negative の軸の数は {a}、{b}、{c} です。",
            "1 つの anchor に negative が複数あるか、バッチサイズが 1 だったために squeeze() でバッチの軸が消えていま"
            "す。",
            "negative をバッチの軸に平坦化し、anchor と positive を repeat_interleave で繰り返します。または、足りな"
            "い軸を unsqueeze で加えます。",
        ),
    ),
    Message(
        "binary-range",
        (
            r"all elements of (?P<what>input|target) should be between 0 and 1",
            r"Assertion [`']?input_val >= zero && input_val <= one[`']? failed",
        ),
        (
            "BCELoss expects probabilities from 0 to 1 and targets from 0 to 1.",
            "A value is outside the range from 0 to 1, or is NaN.",
            "The model outputs logits because no sigmoid follows the last layer; the targets were not scaled to the "
            "range from 0 to 1; or the training diverged to NaN.",
            "For logits use BCEWithLogitsLoss, which includes the sigmoid. Scale the targets to the range from 0 to "
            "1. If values are NaN, lower the learning rate or find the first NaN "
            "(torch.autograd.set_detect_anomaly(True) reports it in the backward pass).",
        ),
        (
            "BCELoss espera probabilidades de 0 a 1 y objetivos de 0 a 1.",
            "Un valor está fuera del intervalo de 0 a 1, o es NaN.",
            "El modelo da logits porque tras la última capa no hay sigmoide; los objetivos no se escalaron al "
            "intervalo de 0 a 1; o el entrenamiento divergió a NaN.",
            "Para logits usa BCEWithLogitsLoss, que incluye la sigmoide. Escala los objetivos al intervalo de 0 a 1. "
            "Si hay valores NaN, baja la tasa de aprendizaje o busca el primer NaN "
            "(torch.autograd.set_detect_anomaly(True) lo señala en el backward).",
        ),
        (
            "BCELoss には、0 から 1 までの確率と、0 から 1 までのターゲットを渡します。",
            "0 から 1 の範囲外の値か、NaN があります。",
            "最後の層の後にシグモイドがなくロジットが出力されているか、ターゲットを 0 から 1 の範囲にしていないか、学"
            "習が発散して NaN になっています。",
            "ロジットにはシグモイドを含む BCEWithLogitsLoss を使い、ターゲットは 0 から 1 の範囲にします。NaN があれ"
            "ば、学習率を下げるか、最初に NaN になる箇所を探します (torch.autograd.set_detect_anomaly(True) は "
            "backward での箇所を示します)。",
        ),
    ),
    Message(
        "loss-type",
        (r"Found dtype (?P<have>\w+) but expected (?P<want>\w+)",),
        (
            "The operands of this call must have the same type.",
            "One operand has type {have}, the other {want}.",
            "The labels are integers, but the loss (BCE, for example) expects a float target; or values from NumPy "
            "are float64.",
            "Use target.float(), or target.to(output.dtype).",
        ),
        (
            "Los operandos de esta llamada deben ser del mismo tipo.",
            "Un operando es de tipo {have} y el otro de tipo {want}.",
            "Las etiquetas son enteras, pero la pérdida (BCE, por ejemplo) espera un objetivo float; o los valores "
            "de NumPy son float64.",
            "Usa objetivo.float(), u objetivo.to(salida.dtype).",
        ),
        (
            "この呼び出しでは、オペランドの型が同じでなければなりません。",
            "片方の型は {have}、もう片方は {want} です。",
            "float のターゲットが必要な損失 (BCE など) に整数のラベルを渡したか、NumPy の float64 の値を渡しています。",
            "target.float() か target.to(output.dtype) とします。",
        ),
    ),
    Message(
        "gaussian-variance",
        (r"var is of incorrect size",),
        (
            "GaussianNLLLoss expects var as a number or as a tensor. The tensor must have the input's shape, the "
            "input's shape with size 1 on one axis, or the input's shape without the last axis.",
            "The shape of var does not fit the input.",
            "The heads for mean and variance have different numbers of outputs, or their batches differ.",
            "Give both heads the same number of outputs, and compute both from the same batch.",
        ),
        (
            "GaussianNLLLoss espera como var un número o un tensor. El tensor debe tener la forma de la entrada, la "
            "forma de la entrada con tamaño 1 en un eje, o la forma de la entrada sin el último eje.",
            "La forma de var no encaja con la entrada.",
            "Las cabezas de media y varianza tienen distinto número de salidas, o sus lotes no coinciden.",
            "Da a ambas cabezas el mismo número de salidas y calcula las dos con el mismo lote.",
        ),
        (
            "GaussianNLLLoss の var は数値かテンソルです。テンソルの形状は、入力と同じ形状、入力の 1 つの軸のサイズだ"
            "けを 1 にした形状、入力の最後の軸を除いた形状のいずれかにします。",
            "var の形状が入力に合いません。",
            "平均のヘッドと分散のヘッドの出力数が違うか、バッチが違います。",
            "両方のヘッドの出力数を揃え、同じバッチから計算します。",
        ),
    ),
    Message(
        "ctc-lengths",
        (r"Expected input_lengths to have value at most (?P<want>\d+), but got value (?P<have>\d+)",),
        (
            "CTCLoss expects log-probabilities of shape (time, batch, classes), or (time, classes) for one "
            "sequence; no input length may exceed the size of the time axis.",
            "The time axis has size {want}, but an input length is {have}.",
            "The log-probabilities are still (batch, time, classes), or the lengths were counted before a "
            "convolution or pooling shortened the time axis.",
            "Pass log_probs.transpose(0, 1), or count the lengths after the layers that shorten the time axis.",
        ),
        (
            "CTCLoss espera log-probabilidades de forma (tiempo, lote, clases), o (tiempo, clases) para una sola "
            "secuencia; ninguna longitud de entrada puede superar el tamaño del eje de tiempo.",
            "El eje de tiempo tiene tamaño {want}, pero una longitud de entrada es {have}.",
            "Las log-probabilidades siguen siendo (lote, tiempo, clases), o las longitudes se contaron antes de que "
            "una convolución o un pooling acortara el eje de tiempo.",
            "Pasa log_probs.transpose(0, 1), o cuenta las longitudes después de las capas que acortan el eje de "
            "tiempo.",
        ),
        (
            "CTCLoss が受け取るのは形状 (時間, バッチ, クラス)、1 系列なら (時間, クラス) の対数確率です。入力長"
            "は時間の軸のサイズを超えられません。",
            "時間の軸のサイズは {want} ですが、入力長に {have} があります。",
            "対数確率が (バッチ, 時間, クラス) のままか、畳み込みやプーリングで時間の軸が短くなる前に長さを数えていま"
            "す。",
            "log_probs.transpose(0, 1) を渡すか、時間の軸を短くする層の後で長さを数えます。",
        ),
    ),
    Message(
        "ctc-targets",
        (
            r"Expected tensor to have size (?:at least )?(?P<want>\d+) at dimension (?P<dim>\d+), but got size "
            r"(?P<have>\d+)[^\n]*ctc[^\n]*",
        ),
        (
            "The targets of CTCLoss are a table (batch, longest target) or one vector with the labels of all "
            "samples. The vector must have exactly as many labels as the target lengths add up to; each row of the "
            "table, at least as many as its target length.",
            "Axis {dim} of the targets has size {have}, but the target lengths require {want}.",
            "The target lengths also count padding or an end mark that the targets do not contain, or the lengths "
            "belong to a different batch.",
            "Compute the lengths from the targets themselves: torch.tensor([len(target) for target in targets]), "
            "before padding.",
        ),
        (
            "Los objetivos de CTCLoss son una tabla (lote, objetivo más largo) o un vector con las etiquetas de "
            "todas las muestras. El vector debe tener exactamente tantas etiquetas como suman las longitudes de los "
            "objetivos; cada fila de la tabla, al menos tantas como indica su longitud.",
            "El eje {dim} de los objetivos tiene tamaño {have}, pero las longitudes requieren {want}.",
            "Las longitudes cuentan también relleno o una marca de fin que no está en los objetivos, o son de otro "
            "lote.",
            "Calcula las longitudes a partir de los propios objetivos: torch.tensor([len(objetivo) for objetivo in "
            "objetivos]), antes de rellenarlos.",
        ),
        (
            "CTCLoss のターゲットは、表 (バッチ, 最長のターゲット) か、全サンプルのラベルをつないだベクトルです。ベク"
            "トルのラベル数はターゲット長の合計とちょうど同じ、表の各行のラベル数はその行のターゲット長以上でなければ"
            "なりません。",
            "ターゲットの軸 {dim} のサイズは {have} ですが、ターゲット長には {want} 必要です。",
            "ターゲットに含まれないパディングや終端記号まで長さに数えているか、別のバッチの長さを渡しています。",
            "長さをターゲット自身から計算します: パディングの前に torch.tensor([len(target) for target in targets])。",
        ),
    ),
)
