"""Products of matrices and vectors: linear layers, matmul, mm, mv, dot, bmm."""

from ..arithmetic import feature_maps, ratio
from ..model import Message


def _product(field: dict[str, str]) -> dict[str, object]:
    inner, wanted = int(field["b"]), int(field["c"])
    maps, wanted_maps = feature_maps(inner), feature_maps(wanted)
    return {
        "maps": f"{inner} = {maps}" if maps else "",
        "wanted_maps": f"{wanted} = {wanted_maps}" if wanted_maps else "",
        "ratio": ratio(inner, wanted),
        "swapped": f"({field['d']}, {field['c']})" if inner == int(field["d"]) else "",
    }


MESSAGES = (
    Message(
        "matrix-product",
        (
            r"mat1 and mat2 shapes cannot be multiplied \((?P<a>\d+)x(?P<b>\d+) and (?P<c>\d+)x(?P<d>\d+)\)",
            r"size mismatch, m1: \[(?P<a>\d+) x (?P<b>\d+)\], m2: \[(?P<c>\d+) x (?P<d>\d+)\]",
            r"a and b must have same reduction dim, but got \[(?P<a>\d+), (?P<b>\d+)\] X \[(?P<c>\d+), (?P<d>\d+)\]",
        ),
        (
            "The last axis of the first operand and the first axis of the second must have the same size; for a "
            "Linear layer that is its in_features.",
            "The first operand has shape {a}×{b}; the second, {c}×{d}, takes {c} features and outputs {d}.",
            "A Linear({c}, {d}) was sized for another input: each row has {b} features.\nAfter a flatten, the "
            "features are channels × height × width, such as {maps}.\nThe layer may expect {wanted_maps}.\nOne size "
            "divides the other: {ratio}.\nThe second matrix would fit transposed, as {swapped}.\nA flatten(1) is "
            "missing or keeps the wrong axes.",
            "If {b} is right, write Linear({b}, {d}).\nIf {c} is right, print the shape before the flatten and find "
            "the layer that changed it.",
        ),
        (
            "El último eje del primer operando y el primero del segundo deben medir lo mismo; en una capa Linear "
            "es su in_features.",
            "El primer operando es de {a}×{b}; el segundo, de {c}×{d}, toma {c} características y da {d}.",
            "Una Linear({c}, {d}) se dimensionó para otra entrada: cada fila tiene {b} características.\nTras "
            "aplanar, las características son canales × alto × ancho, como {maps}.\nLa capa quizá espere "
            "{wanted_maps}.\nUn tamaño divide al otro: {ratio}.\nLa segunda matriz encajaría traspuesta, como "
            "{swapped}.\nFalta un flatten(1), o conserva los ejes equivocados.",
            "Si {b} es lo correcto, escribe Linear({b}, {d}).\nSi lo correcto es {c}, imprime la forma antes de "
            "aplanar y busca la capa que la cambió.",
        ),
        (
            "1 つ目の最後の軸と 2 つ目の最初の軸が同じサイズでなければなりません。Linear 層なら in_features のこと"
            "です。",
            "1 つ目は {a}×{b} です。2 つ目は {c}×{d} で、{c} 個の特徴を受け取り {d} 個を返します。",
            "Linear({c}, {d}) が別の入力に合わせて作られています。実際の特徴は 1 行に {b} 個です。\nflatten の後の特"
            "徴数は チャネル数 × 高さ × 幅 です (例: {maps})。\n層が期待するのは {wanted_maps} かもしれません。\n割り"
            "切れる関係です: {ratio}。\n2 つ目の行列を転置して {swapped} とすれば合います。\nflatten(1) が抜けている"
            "か、残す軸を間違えています。",
            "{b} が正しければ Linear({b}, {d}) とします。\n{c} が正しければ、flatten の前の形状を表示し、"
            "どの層で変わったかを探します。",
        ),
        sums=_product,
    ),
    Message(
        "matrix-product-unnamed",
        (r"mat1 dim 1 must match mat2 dim 0",),
        (
            "The last axis of the first operand and the first axis of the second must have the same size; for a "
            "Linear layer that is its in_features.",
            "The two sizes differ; this message from an older PyTorch or from a GPU does not give them.",
            "A Linear was sized for another input, often after a flatten.\nA batch or channel axis is missing, or "
            "there is one too many.",
            "Print x.shape and layer.weight.shape right before the line: x's last axis must equal the weight's last "
            "axis.",
        ),
        (
            "El último eje del primer operando y el primero del segundo deben medir lo mismo; en una capa Linear "
            "es su in_features.",
            "Los dos tamaños no coinciden; este mensaje de un PyTorch antiguo o de una GPU no los da.",
            "Una Linear se dimensionó para otra entrada, a menudo tras aplanar.\nFalta o sobra un eje de lote o de "
            "canales.",
            "Imprime x.shape y capa.weight.shape justo antes de la línea: el último eje de x debe ser igual al "
            "último del peso.",
        ),
        (
            "1 つ目の最後の軸と 2 つ目の最初の軸が同じサイズでなければなりません。Linear 層なら in_features のこと"
            "です。",
            "2 つのサイズが一致していません。古い PyTorch や GPU のこのメッセージにはサイズが書かれていません。",
            "Linear が別の入力に合わせて作られています (flatten の後に多い)。\nバッチやチャネルの軸が足りないか、"
            "余分です。",
            "その行の直前で x.shape と layer.weight.shape を表示します。最後の軸同士が等しくなるようにします。",
        ),
    ),
    Message(
        "matrix-vector",
        (
            r"size mismatch, got input \((?P<out>\d+)\), mat \((?P<a>\d+)x(?P<b>\d+)\), vec \((?P<c>\d+)\)",
            r"size mismatch, \[(?P<a>\d+) x (?P<b>\d+)\], \[(?P<c>\d+)\]",
        ),
        (
            "A matrix times a vector needs as many columns as the vector has elements.",
            "The matrix is {a}×{b}, but the vector has {c} elements, not {b}.",
            "The matrix is transposed, or the vector holds the features of another layer.",
            "Compare {b} and {c}: use matrix.T if the other axis ({a}) is the intended one, or give the vector {b} "
            "elements.",
        ),
        (
            "Una matriz por un vector necesita tantas columnas como elementos tiene el vector.",
            "La matriz es de {a}×{b}, pero el vector tiene {c} elementos, no {b}.",
            "La matriz está traspuesta, o el vector trae las características de otra capa.",
            "Compara {b} y {c}: usa matriz.T si querías el otro eje ({a}), o da al vector {b} elementos.",
        ),
        (
            "行列とベクトルの積では、列数とベクトルの要素数が同じでなければなりません。",
            "行列は {a}×{b}、ベクトルの要素は {b} 個ではなく {c} 個です。",
            "行列が転置されているか、別の層の特徴が渡されています。",
            "{b} と {c} を見比べ、もう一方の軸 ({a}) を使うなら転置し、そうでなければベクトルを {b} 要素にします。",
        ),
    ),
    Message(
        "dot-product",
        (
            r"inconsistent tensor size, expected tensor \[(?P<a>\d+)\] and src \[(?P<b>\d+)\] to have the same number "
            r"of elements",
        ),
        (
            "A dot product needs two vectors of the same length.",
            "The lengths are {a} and {b}.",
            "One of the vectors was cut, padded or taken from another layer.",
            "Give both vectors the length {a} or {b}; for many pairs at once use (x * y).sum(-1).",
        ),
        (
            "Un producto escalar necesita dos vectores de la misma longitud.",
            "Las longitudes son {a} y {b}.",
            "Uno de los vectores se recortó, se rellenó o viene de otra capa.",
            "Da a ambos vectores la longitud {a} o {b}; para muchos pares a la vez, (x * y).sum(-1).",
        ),
        (
            "内積には同じ長さのベクトルが 2 本必要です。",
            "片方のベクトルは {a} 要素、もう片方は {b} 要素です。",
            "どちらかが切り詰められたか、パディングされたか、別の層から来ています。",
            "両方のベクトルの長さを {a} か {b} に揃えます。まとめて計算するなら (x * y).sum(-1) です。",
        ),
    ),
    Message(
        "batched-product",
        (
            r"Expected size for first two dimensions of batch2 tensor to be: \[(?P<n>\d+), (?P<k>\d+)\] but got: "
            r"\[(?P<m>\d+), (?P<l>\d+)\]",
            r"Expected tensor to have size (?P<want>\d+) at dimension (?P<axis>\d), but got size (?P<have>\d+) for "
            r"argument #2 '(?:batch2|mat2)'",
        ),
        (
            "A batched product (bmm, also inside attention) multiplies (n, a, k) by (n, k, b): same batch size n, "
            "same inner size k.",
            "The first operand has batch size {n} and inner size {k}; the second has batch size {m} and inner size "
            "{l}.\nAxis {axis} of the second should have size {want}, but has size {have}.",
            "If the batch sizes differ ({n} and {m}), one operand lost or gained samples or heads.\nIf the inner "
            "sizes differ ({k} and {l}), the second operand needs transpose(1, 2), or queries and keys have different "
            "feature sizes.",
            "Print both shapes; the last axis of the first must equal the middle axis of the second.",
        ),
        (
            "Un producto por lotes (bmm, también dentro de la atención) multiplica (n, a, k) por (n, k, b): mismo "
            "tamaño de lote n, mismo tamaño interior k.",
            "El primer operando tiene un lote de {n} y tamaño interior {k}; el segundo, un lote de {m} y tamaño "
            "interior {l}.\nEl eje {axis} del segundo debería tener tamaño {want}, pero tiene {have}.",
            "Si difieren los tamaños de lote ({n} y {m}), un operando perdió o ganó muestras o cabezas.\nSi difieren "
            "los tamaños interiores ({k} y {l}), al segundo le falta transpose(1, 2), o consultas y claves tienen "
            "distinto número de características.",
            "Imprime ambas formas; el último eje del primero debe ser igual al eje central del segundo.",
        ),
        (
            "バッチ積 (bmm。アテンションの中でも使われます) は (n, a, k) と (n, k, b) の積です。バッチサイズ n "
            "と内側のサイズ k が一致する必要があります。",
            "1 つ目はバッチ {n}、内側のサイズ {k} ですが、2 つ目はバッチ {m}、内側のサイズ {l} です。\n2 つ目の軸 "
            "{axis} のサイズは {want} のはずですが、{have} です。",
            "バッチサイズが違う場合 ({n} と {m})、片方でサンプルかヘッドが増減しています。\n内側のサイズが違う場合 "
            "({k} と {l})、2 つ目に transpose(1, 2) が必要か、クエリとキーの特徴数が違います。",
            "両方の形状を表示し、1 つ目の最後の軸と 2 つ目の真ん中の軸を揃えます。",
        ),
    ),
    Message(
        "product-rank",
        (
            r"(?P<what>1D) tensors expected, but got (?P<a>\d)D and (?P<b>\d)D tensors",
            r"both arguments to matmul need to be at least 1D, but they are (?P<a>\d)D and (?P<b>\d)D",
            r"(?:outer|ger|dot|vdot|mv|addmv): Expected (?P<what>\d-D) argument \w+, but got (?P<rank>\d)-D",
            r"(?:batch1|batch2) must be a (?P<what>3D) tensor",
            r"self must be a (?P<what>matrix)",
            r"mat2 must be a (?P<what>matrix)",
            r"matrices expected, got (?P<a>\d)D, (?P<b>\d)D tensors",
        ),
        (
            "dot takes two vectors, mm two matrices, bmm two 3-d tensors; matmul (@) takes any rank from 1 up.",
            "Rank expected here: {what}.\nThe operands have {a} and {b} axes.\nThe number of axes of one operand is "
            "{rank}.",
            "An axis of size 1 was added or removed, or a batch axis was added where a single matrix is expected.",
            "Use @ (matmul), which broadcasts batch axes, or bring both operands to the rank that the function expects "
            "with unsqueeze, squeeze(dim) or flatten.",
        ),
        (
            "dot toma dos vectores, mm dos matrices, bmm dos tensores 3-d; matmul (@) acepta cualquier rango desde 1.",
            "Rango esperado aquí: {what}.\nLos operandos tienen {a} y {b} ejes.\nEl número de ejes de un operando es "
            "{rank}.",
            "Se añadió o se quitó un eje de tamaño 1, o llegó un eje de lote donde se esperaba una sola matriz.",
            "Usa @ (matmul), que hace broadcasting de los ejes de lote, o lleva ambos operandos al rango pedido "
            "con unsqueeze, "
            "squeeze(dim) o flatten.",
        ),
        (
            "dot はベクトル 2 本、mm は行列 2 つ、bmm は 3 次元テンソル 2 つを取ります。matmul (@) は 1 "
            "次元以上なら何でも取ります。",
            "ここで必要な次元: {what}。\n実際の軸の数は {a} と {b} です。\n一方の軸は {rank} つです。",
            "サイズ 1 の軸が増えたか消えたか、行列 1 つのところにバッチの軸が入っています。",
            "バッチの軸も扱える @ (matmul) を使うか、unsqueeze、squeeze(dim)、flatten で必要な次元数に揃えます。",
        ),
        sums=lambda field: {"what": field.get("what", "").replace("matrix", "2D")},
    ),
)
