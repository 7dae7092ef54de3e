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
            "Linear layer, this size is in_features.",
            "The first operand has shape {a}×{b}. The second has shape {c}×{d}: it takes {c} features and outputs {d}.",
            "A layer Linear({c}, {d}) was made for a different input: here each row has {b} features.\nAfter a "
            "flatten, the number of features is channels × height × width, for example {maps}.\nThe layer may expect "
            "{wanted_maps}.\nOne size divides the other: {ratio}.\nThe second matrix would fit if it were "
            "transposed: {swapped}.\nA flatten(1) is missing, or it flattens the wrong axes.",
            "If {b} is the correct number of features, write Linear({b}, {d}).\nIf {c} is correct, print the shape "
            "after each earlier layer to find out where the number of features changes.",
        ),
        (
            "El último eje del primer operando y el primero del segundo deben tener el mismo tamaño; en una capa "
            "Linear, ese tamaño es in_features.",
            "El primer operando tiene forma {a}×{b}. El segundo tiene forma {c}×{d}: toma {c} características y da "
            "{d}.",
            "Una capa Linear({c}, {d}) se hizo para otra entrada: aquí cada fila tiene {b} características.\nTras "
            "aplanar, el número de características es canales × alto × ancho, por ejemplo {maps}.\nLa capa quizá "
            "espere {wanted_maps}.\nUn tamaño divide al otro: {ratio}.\nLa segunda matriz encajaría si se "
            "traspusiera: {swapped}.\nFalta un flatten(1), o aplana los ejes equivocados.",
            "Si {b} es el número correcto de características, escribe Linear({b}, {d}).\nSi lo correcto es {c}, "
            "imprime la forma después de cada capa anterior para ver dónde cambia el número de características.",
        ),
        (
            "1 つ目のオペランドの最後の軸と 2 つ目の最初の軸が同じサイズでなければなりません。Linear 層では、このサイ"
            "ズが in_features です。",
            "1 つ目のオペランドの形状は {a}×{b} です。2 つ目の形状は {c}×{d} で、{c} 個の特徴を受け取り {d} 個を出力"
            "します。",
            "Linear({c}, {d}) が別の入力に合わせて作られています。ここでは 1 行の特徴が {b} 個です。\nflatten の後の"
            "特徴数は チャネル数 × 高さ × 幅 です (例: {maps})。\n層が期待するのは {wanted_maps} かもしれません。\n一"
            "方のサイズでもう一方が割り切れます: {ratio}。\n2 つ目の行列を転置して {swapped} とすれば合います。\n"
            "flatten(1) が抜けているか、間違った軸を平坦化しています。",
            "特徴数が {b} で正しければ Linear({b}, {d}) とします。\n{c} が正しければ、前の各層の後で形状を表示し、特"
            "徴数がどの層で変わるかを探します。",
        ),
        sums=_product,
    ),
    Message(
        "matrix-product-unnamed",
        (r"mat1 dim 1 must match mat2 dim 0",),
        (
            "The last axis of the first operand and the first axis of the second must have the same size; for a "
            "Linear layer, this size is in_features.",
            "The two sizes differ. This message comes from an older PyTorch or from a GPU and does not give the sizes.",
            "A Linear layer was made for a different input, often because a flatten before it gives another number "
            "of features.\nA batch or channel axis is missing, or there is one axis too many.",
            "Print x.shape and layer.weight.shape right before the line: the last axes of x and of the weight must "
            "have the same size.",
        ),
        (
            "El último eje del primer operando y el primero del segundo deben tener el mismo tamaño; en una capa "
            "Linear, ese tamaño es in_features.",
            "Los dos tamaños no coinciden. Este mensaje viene de un PyTorch antiguo o de una GPU y no da los tamaños.",
            "Una capa Linear se hizo para otra entrada, a menudo porque un flatten anterior da otro número de "
            "características.\nFalta un eje de lote o de canales, o sobra un eje.",
            "Imprime x.shape y capa.weight.shape justo antes de la línea: los últimos ejes de x y del peso deben "
            "tener el mismo tamaño.",
        ),
        (
            "1 つ目のオペランドの最後の軸と 2 つ目の最初の軸が同じサイズでなければなりません。Linear 層では、このサイ"
            "ズが in_features です。",
            "2 つのサイズが一致していません。古い PyTorch や GPU のメッセージのため、サイズは書かれていません。",
            "Linear 層が別の入力に合わせて作られています (その前の flatten で特徴数が変わっていることが多いです)。\n"
            "バッチやチャネルの軸が足りないか、軸が余分です。",
            "その行の直前で x.shape と layer.weight.shape を表示します。x と重みの最後の軸のサイズは同じでなければな"
            "りません。",
        ),
    ),
    Message(
        "matrix-vector",
        (
            r"size mismatch, got input \((?P<out>\d+)\), mat \((?P<a>\d+)x(?P<b>\d+)\), vec \((?P<c>\d+)\)",
            r"size mismatch, \[(?P<a>\d+) x (?P<b>\d+)\], \[(?P<c>\d+)\]",
        ),
        (
            "In a product of a matrix and a vector, the matrix must have as many columns as the vector has elements.",
            "The matrix is {a}×{b}, but the vector has {c} elements, not {b}.",
            "The matrix is transposed, or the vector comes from a layer with a different number of features.",
            "If the vector belongs to the other axis of the matrix, of size {a}, use matrix.T; otherwise give the "
            "vector {b} elements.",
        ),
        (
            "En el producto de una matriz por un vector, la matriz debe tener tantas columnas como elementos tiene "
            "el vector.",
            "La matriz es de {a}×{b}, pero el vector tiene {c} elementos, no {b}.",
            "La matriz está traspuesta, o el vector viene de una capa con otro número de características.",
            "Si el vector corresponde al otro eje de la matriz, de tamaño {a}, usa matriz.T; si no, da al vector {b} "
            "elementos.",
        ),
        (
            "行列とベクトルの積では、列数とベクトルの要素数が同じでなければなりません。",
            "行列は {a}×{b} ですが、ベクトルの要素は {b} 個ではなく {c} 個です。",
            "行列が転置されているか、ベクトルが特徴数の違う層から来ています。",
            "ベクトルが、行列のもう一方の軸 (サイズ {a}) に対応するなら matrix.T を使います。そうでなければ、ベクトル"
            "を {b} 要素にします。",
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
            "One of the vectors was cut or padded, or comes from a different layer.",
            "Give both vectors the same length, {a} or {b}. To compute many dot products at once, use (x * y).sum(-1).",
        ),
        (
            "Un producto escalar necesita dos vectores de la misma longitud.",
            "Las longitudes son {a} y {b}.",
            "Uno de los vectores se recortó, se rellenó o viene de otra capa.",
            "Da a ambos vectores la misma longitud, {a} o {b}. Para calcular muchos productos a la vez, usa (x * "
            "y).sum(-1).",
        ),
        (
            "内積には同じ長さのベクトルが 2 つ必要です。",
            "片方のベクトルは {a} 要素、もう片方は {b} 要素です。",
            "どちらかが切り詰められたか、パディングされたか、別の層から来ています。",
            "両方のベクトルの長さを {a} か {b} に揃えます。多くの内積をまとめて計算するには (x * y).sum(-1) を使いま"
            "す。",
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
            "A batched product (bmm, also used inside attention) multiplies (n, a, k) by (n, k, b): the batch size n "
            "and the inner size k must be the same in both operands.",
            "The first operand has batch size {n} and inner size {k}; the second has batch size {m} and inner size "
            "{l}.\nAxis {axis} of the second operand should have size {want}, but has size {have}.",
            "If the batch sizes differ ({n} and {m}), one operand lost or gained samples or heads.\nIf the inner "
            "sizes differ ({k} and {l}), the second operand needs transpose(1, 2), or queries and keys have "
            "different numbers of features.",
            "Print both shapes: the last axis of the first operand and the middle axis of the second must have the "
            "same size.",
        ),
        (
            "Un producto por lotes (bmm, que también usa la atención) multiplica (n, a, k) por (n, k, b): el tamaño "
            "de lote n y el tamaño interior k deben ser los mismos en los dos operandos.",
            "El primer operando tiene tamaño de lote {n} y tamaño interior {k}; el segundo tiene tamaño de lote {m} "
            "y tamaño interior {l}.\nEl eje {axis} del segundo operando debería tener tamaño {want}, pero tiene "
            "{have}.",
            "Si difieren los tamaños de lote ({n} y {m}), un operando perdió o ganó muestras o cabezas.\nSi difieren "
            "los tamaños interiores ({k} y {l}), el segundo operando necesita transpose(1, 2), o las consultas y las "
            "claves tienen distinto número de características.",
            "Imprime ambas formas: el último eje del primer operando y el eje central del segundo deben tener el "
            "mismo tamaño.",
        ),
        (
            "バッチ行列積 (bmm。アテンションの中でも使われます) は (n, a, k) と (n, k, b) の積です。バッチサイズ n と"
            "内側のサイズ k は、両方のオペランドで同じでなければなりません。",
            "1 つ目のオペランドはバッチサイズ {n}、内側のサイズ {k} ですが、2 つ目はバッチサイズ {m}、内側のサイズ "
            "{l} です。\n2 つ目の軸 {axis} のサイズは {want} のはずですが、{have} です。",
            "バッチサイズが違う場合 ({n} と {m})、片方でサンプルかヘッドが増減しています。\n内側のサイズが違う場合 ("
            "{k} と {l})、2 つ目のオペランドに transpose(1, 2) が必要か、クエリとキーの特徴数が違います。",
            "両方の形状を表示します。1 つ目の最後の軸と 2 つ目の真ん中の軸のサイズは同じでなければなりません。",
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
            "dot and outer expect two vectors, mm two matrices, mv a matrix and a vector, bmm two 3-d tensors; "
            "matmul (@) accepts tensors with any number of axes from 1 up.",
            "Expected here: {what}.\nThe operands have {a} and {b} axes.\nOne operand has {rank} axes.",
            "An axis of size 1 was added or removed, or an operand has a batch axis where a single matrix or vector "
            "is expected.",
            "Use @ (matmul), which broadcasts batch axes, or give both operands the expected number of axes with "
            "unsqueeze, squeeze(dim) or flatten.",
        ),
        (
            "dot y outer esperan dos vectores, mm dos matrices, mv una matriz y un vector, bmm dos tensores 3-d; "
            "matmul (@) admite tensores con cualquier número de ejes a partir de 1.",
            "Se espera aquí: {what}.\nLos operandos tienen {a} y {b} ejes.\nUn operando tiene {rank} ejes.",
            "Se añadió o se quitó un eje de tamaño 1, o un operando tiene un eje de lote donde se espera una sola "
            "matriz o un solo vector.",
            "Usa @ (matmul), que hace broadcasting de los ejes de lote, o da a ambos operandos el número de ejes "
            "esperado con unsqueeze, squeeze(dim) o flatten.",
        ),
        (
            "dot と outer はベクトル 2 つ、mm は行列 2 つ、mv は行列とベクトル、bmm は 3 次元テンソル 2 つを受け取り"
            "ます。matmul (@) は 1 次元以上のテンソルなら何次元でも受け取ります。",
            "ここで必要なもの: {what}。\n実際の軸の数は {a} と {b} です。\n一方の軸は {rank} つです。",
            "サイズ 1 の軸が増えたか消えています。または、行列やベクトル 1 つを渡すところで、オペランドにバッチの軸が"
            "あります。",
            "バッチの軸をブロードキャストする @ (matmul) を使うか、unsqueeze、squeeze(dim)、flatten で両方のオペラン"
            "ドを必要な次元数に揃えます。",
        ),
        sums=lambda field: {"what": field.get("what", "").replace("matrix", "2D")},
    ),
)
