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
            "This loss compares element by element: input and target should have the same shape, and BCE needs a "
            "float target.",
            "The input has shape {have}, the target {want}.",
            "One side has one axis of size 1 more, {column}: a last layer Linear(…, 1), or labels kept as a column.\n"
            "Where this is only a warning (MSE, L1, Huber), the two broadcast and every prediction is compared with "
            "every target: {product} pairs, so every prediction is pulled toward the same value.",
            "Use .squeeze(-1) on the side with the extra axis (it also works at batch size 1), or "
            ".unsqueeze(-1) on the other; .float() on integer targets.",
        ),
        (
            "Esta pérdida compara elemento a elemento: entrada y objetivo deben tener la misma forma, y BCE "
            "necesita un objetivo float.",
            "La entrada tiene forma {have}; el objetivo, {want}.",
            "Un lado tiene un eje de tamaño 1 de más, {column}: una última capa Linear(…, 1), o etiquetas en columna.\n"
            "Donde es solo un aviso (MSE, L1, Huber), se combinan por broadcasting y cada predicción se compara con "
            "cada objetivo: {product} pares, así que todas las predicciones se acercan a un mismo valor.",
            "Usa .squeeze(-1) en el lado con el eje de más (también funciona con tamaño de lote 1), o "
            ".unsqueeze(-1) en el otro; .float() en objetivos enteros.",
        ),
        (
            "この損失は要素ごとに比べます。入力とターゲットは同じ形状にします。BCE のターゲットは float です。",
            "入力の形状は {have}、ターゲットは {want} です。",
            "片方にサイズ 1 の軸が 1 つ余分にあります ({column})。最後の層 Linear(…, 1) か、列のままのラベ"
            "ルです。\n警告だけで進む場合 (MSE、L1、Huber) は両者がブロードキャストされ、すべての予測がすべ"
            "てのターゲットと比べられます ({product} 組)。そのため、どの予測も同じ値に近づきます。",
            "余分な軸のある側に .squeeze(-1) (バッチ 1 でも正しい) を付けるか、もう一方に .unsqueeze(-1) を"
            "付けます。整数のターゲットには .float() を付けます。",
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
            "input1, input2, and a target that is 1 where input1 should score higher and -1 where input2 should.",
            "The shapes are input1 {one}, input2 {two} and target {target}.",
            "The scores keep the axis of size 1 that a Linear(…, 1) head produces: {extra}. A target made with "
            "torch.ones(scores.size(0)) has only the batch axis, {batch}.",
            "Remove the axis where the scores are made: .squeeze(-1) (or [:, 0]) on both scores; or make the target "
            "torch.ones_like(scores).\nDo not use .squeeze() without a dim: at batch size 1 it leaves no axis, and "
            "scores.size(0) fails.",
        ),
        (
            "MarginRankingLoss espera tres tensores con el mismo número de ejes, normalmente de la misma forma: "
            "input1, input2 y un objetivo, que es 1 donde input1 debe puntuar más alto y -1 donde debe hacerlo "
            "input2.",
            "Las formas son input1 {one}, input2 {two} y target {target}.",
            "Las puntuaciones conservan el eje de tamaño 1 que produce una cabeza Linear(…, 1): {extra}. Un objetivo "
            "hecho con torch.ones(scores.size(0)) solo tiene el eje del lote, {batch}.",
            "Quita el eje donde se crean las puntuaciones: .squeeze(-1) (o [:, 0]) en ambas; o crea el objetivo con "
            "torch.ones_like(scores).\nNo uses .squeeze() sin argumentos: con tamaño de lote 1 no deja ningún eje, "
            "y scores.size(0) falla.",
        ),
        (
            "MarginRankingLoss は軸の数が同じ (普通は同じ形状の) テンソルを 3 つ取ります。input1、input2 とターゲ"
            "ットです。ターゲットは、input1 のスコアを高くすべきところで 1、input2 を高くすべきところで -1 です。",
            "形状は input1 {one}、input2 {two}、target {target} です。",
            "スコアに、ヘッド Linear(…, 1) のサイズ 1 の軸が残っています: {extra}。torch.ones(scores.size(0)) "
            "で作ったターゲットにはバッチ {batch} "
            "の軸しかありません。",
            "スコアを作るところで、両方に .squeeze(-1) (または [:, 0]) を付けます。ターゲットを "
            "torch.ones_like(scores) にしてもかまいません。\n"
            "ただの .squeeze() は不可です。バッチ 1 で軸がなくなり、scores.size(0) が失敗します。",
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
            "There are several negatives per anchor, or squeeze() removed the batch axis because the batch size is 1.",
            "Flatten the negatives into the batch and repeat anchors and positives with repeat_interleave, "
            "or unsqueeze the missing axis.",
        ),
        (
            "anchor, positive y negative deben tener el mismo número de ejes: (lote, …, características), o "
            "(características,) para un solo triplete.",
            "anchor, positive y negative tienen {a}, {b} y {c} ejes.",
            "Hay varios negativos por ancla, o squeeze() quitó el eje de lote porque el tamaño de lote es 1.",
            "Aplana los negativos en el lote y repite anclas y positivos con repeat_interleave, o añade el "
            "eje que falta.",
        ),
        (
            "anchor、positive、negative の軸の数は同じでなければなりません。形状は (バッチ, …, 特徴)、1 組だけな"
            "ら (特徴,) です。",
            "anchor、positive、negative の軸の数は {a}、{b}、{c} です。",
            "1 つの anchor に negative が複数あるか、バッチサイズが 1 のため、バッチの軸が squeeze() で消えています。",
            "negative をバッチに平坦化して anchor と positive を repeat_interleave で繰り返すか、足りない軸"
            "を unsqueeze します。",
        ),
    ),
    Message(
        "binary-range",
        (
            r"all elements of (?P<what>input|target) should be between 0 and 1",
            r"Assertion [`']?input_val >= zero && input_val <= one[`']? failed",
        ),
        (
            "BCELoss expects probabilities, and targets from 0 to 1.",
            "Some value lies outside 0…1, or is NaN.",
            "The last layer gives logits, without a sigmoid; the targets were not scaled to 0…1; or training has "
            "diverged to NaN.",
            "For logits use BCEWithLogitsLoss, which contains the sigmoid; scale targets to 0…1.",
        ),
        (
            "BCELoss espera probabilidades, y objetivos de 0 a 1.",
            "Algún valor está fuera del intervalo de 0 a 1, o es NaN.",
            "La última capa da logits, sin sigmoide; los objetivos no están escalados a 0…1; o el entrenamiento "
            "divergió a NaN.",
            "Para logits usa BCEWithLogitsLoss, que incluye la sigmoide; escala los objetivos a 0…1.",
        ),
        (
            "BCELoss には確率と、0 から 1 までのターゲットを渡します。",
            "0…1 の範囲外の値か、NaN があります。",
            "最後の層の出力にシグモイドがないか、ターゲットが 0…1 に収まっていないか、学習が発散して NaN になってい"
            "ます。",
            "ロジットにはシグモイドを含む BCEWithLogitsLoss を使い、ターゲットは 0…1 に収めます。",
        ),
    ),
    Message(
        "loss-type",
        (r"Found dtype (?P<have>\w+) but expected (?P<want>\w+)",),
        (
            "The operands of this call must have the same type.",
            "One side has type {have}, the other {want}.",
            "Labels are integers where a float target is expected (as in BCE), or float64 values came from NumPy.",
            "Use target.float(), or target.to(output.dtype).",
        ),
        (
            "Los operandos de esta llamada deben ser del mismo tipo.",
            "Un lado es de tipo {have} y el otro {want}.",
            "Las etiquetas son enteras donde se espera un objetivo float (como en BCE), o llegaron valores "
            "float64 de NumPy.",
            "Usa objetivo.float(), u objetivo.to(salida.dtype).",
        ),
        (
            "この呼び出しでは引数の型が同じでなければなりません。",
            "片方の型は {have}、もう片方は {want} です。",
            "float のターゲットが必要な損失 (BCE など) に整数ラベルを渡したか、NumPy の float64 が混ざっています。",
            "target.float() か target.to(output.dtype) とします。",
        ),
    ),
    Message(
        "gaussian-variance",
        (r"var is of incorrect size",),
        (
            "GaussianNLLLoss expects var as a float or as a tensor: of the input's shape, of that shape with size 1 "
            "on one axis, or of that shape without the last axis.",
            "var has a different shape.",
            "The two heads have different widths, or the batches differ.",
            "Give both heads the same number of outputs.",
        ),
        (
            "GaussianNLLLoss espera como var un float, o un tensor con la forma de la entrada, con esa "
            "forma pero un eje de tamaño 1, o sin el último eje.",
            "var tiene una forma distinta.",
            "Las dos cabezas tienen anchuras distintas, o los lotes no coinciden.",
            "Da a ambas cabezas el mismo número de salidas.",
        ),
        (
            "GaussianNLLLoss の var は、float の数値か、入力と同じ形状、1 つの軸のサイズだけを 1 にした形状、"
            "最後の軸を除いた形状のいずれかです。",
            "var の形状が違います。",
            "2 つのヘッドの幅が違うか、バッチが違います。",
            "両方のヘッドの出力数を揃えます。",
        ),
    ),
    Message(
        "ctc-lengths",
        (r"Expected input_lengths to have value at most (?P<want>\d+), but got value (?P<have>\d+)",),
        (
            "CTCLoss expects log-probabilities of shape (time, batch, classes), or (time, classes) for one "
            "sequence; no input length may exceed the size of the time axis.",
            "The time axis has size {want}, but one length is {have}.",
            "The log-probabilities are (batch, time, classes) and were not transposed, or the lengths were counted "
            "before a convolution or pooling shortened time.",
            "Use log_probs.transpose(0, 1), or count the lengths after the layers that shorten time.",
        ),
        (
            "CTCLoss espera log-probabilidades de forma (tiempo, lote, clases), o (tiempo, clases) para una sola "
            "secuencia; ninguna longitud de entrada puede superar el tamaño del eje de tiempo.",
            "El eje de tiempo mide {want}, pero una longitud es {have}.",
            "Las log-probabilidades son (lote, tiempo, clases) sin trasponer, o las longitudes se contaron antes de "
            "que una convolución o un pooling acortara el tiempo.",
            "Usa log_probs.transpose(0, 1), o cuenta las longitudes después de las capas que acortan el tiempo.",
        ),
        (
            "CTCLoss が受け取るのは形状 (時間, バッチ, クラス)、1 系列なら (時間, クラス) の対数確率です。入力長"
            "は時間の軸のサイズを超えられません。",
            "時間の軸のサイズは {want} ですが、長さに {have} があります。",
            "対数確率を (バッチ, 時間, クラス) のまま転置していないか、渡した長さが、畳み込みやプーリングで時間が短"
            "くなる前のものです。",
            "log_probs.transpose(0, 1) とするか、長さを、時間を縮める層の後で数えます。",
        ),
    ),
    Message(
        "ctc-targets",
        (
            r"Expected tensor to have size (?:at least )?(?P<want>\d+) at dimension (?P<dim>\d+), but got size "
            r"(?P<have>\d+)[^\n]*ctc[^\n]*",
        ),
        (
            "Targets of CTCLoss are (batch, longest label), or all labels in one vector; the vector must hold "
            "exactly as many labels as the target lengths say, the table at least as many per row.",
            "Axis {dim} of the targets has size {have}, but the target lengths need {want}.",
            "The target lengths count more than the labels (padding, an end mark), or belong to another batch.",
            "Take lengths and targets from the same labels: torch.tensor([len(label) for label in labels]).",
        ),
        (
            "Los objetivos de CTCLoss son (lote, etiqueta más larga), o todas las etiquetas en un vector; el "
            "vector debe contener exactamente tantas etiquetas como dicen las longitudes; cada fila de la tabla, "
            "al menos tantas.",
            "El eje {dim} de los objetivos mide {have}, pero las longitudes necesitan {want}.",
            "Las longitudes cuentan más que las etiquetas (relleno, una marca de fin), o son de otro lote.",
            "Toma longitudes y objetivos de las mismas etiquetas: torch.tensor([len(etiqueta) for etiqueta in "
            "etiquetas]).",
        ),
        (
            "CTCLoss のターゲットは (バッチ, 最長のラベル列) か、全ラベルをつないだベクトルです。ベクトルにはター"
            "ゲット長の合計とちょうど同じ数、表の各行にはターゲット長以上のラベルが必要です。",
            "ターゲットの軸 {dim} のサイズは {have} ですが、ターゲット長には {want} 必要です。",
            "ターゲット長がラベル以外 (パディングや終端) も数えているか、別のバッチのものです。",
            "長さとターゲットを同じラベルから作ります: torch.tensor([len(label) for label in labels])。",
        ),
    ),
)
