"""What each kind of candidate is called, and why a tempting one was put aside, in three languages."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "add-axis": {
        "en": "put the new axis where it belongs: {code}",
        "es": "poner el nuevo eje en su sitio: {code}",
        "ja": "新しい軸を正しい位置に置く: {code}",
    },
    "as-others": {
        "en": "flatten it as the others are, without {code}",
        "es": "aplanarla como las demás, sin {code}",
        "ja": "{code} を外し、ほかと同じ順に平らにする",
    },
    "batch-first": {
        "en": "make {module} with batch_first={value}",
        "es": "crear {module} con batch_first={value}",
        "ja": "{module} を batch_first={value} で作る",
    },
    "batch-from": {
        "en": "take the size from the batch at hand: {code}",
        "es": "tomar el tamaño del lote presente: {code}",
        "ja": "実際のバッチから大きさを取る: {code}",
    },
    "both-directions": {
        "en": "read both directions: {code}",
        "es": "leer las dos direcciones: {code}",
        "ja": "両方向を読む: {code}",
    },
    "call": {
        "en": "call the module itself: {code}(…)",
        "es": "llamar al propio módulo: {code}(…)",
        "ja": "モジュール自体を呼び出す: {code}(…)",
    },
    "causal": {
        "en": "hide later tokens: {code}",
        "es": "ocultar los tokens posteriores: {code}",
        "ja": "後続のトークンを隠す: {code}",
    },
    "condition": {
        "en": "project the shortcut also when {code}",
        "es": "proyectar el atajo también cuando {code}",
        "ja": "{code} のときもショートカットを射影する",
    },
    "conv-turned": {
        "en": "let the convolution slide over time: {code}",
        "es": "deslizar la convolución sobre el tiempo: {code}",
        "ja": "畳み込みを時間軸に沿わせる: {code}",
    },
    "copy": {
        "en": "make a new tensor instead of changing one that the gradient needs: {code}",
        "es": "crear un tensor nuevo en vez de cambiar uno que el gradiente necesita: {code}",
        "ja": "勾配に必要な値を書き換えず新しく作る: {code}",
    },
    "ctc-steps": {
        "en": "count the steps that the network leaves: {code}",
        "es": "contar los pasos que deja la red: {code}",
        "ja": "ネットワークの出力に残るステップ数を渡す: {code}",
    },
    "cut-alike": {
        "en": "cut the mask as the targets are cut: {code}",
        "es": "recortar la máscara como los objetivos: {code}",
        "ja": "マスクをターゲットと同じ側で切る: {code}",
    },
    "cut-steps": {
        "en": "cut along the steps, axis 1: {code}",
        "es": "cortar a lo largo de los pasos, el eje 1: {code}",
        "ja": "ステップの軸 1 に沿って切る: {code}",
    },
    "detach": {
        "en": "cut the state off from the last batch's graph",
        "es": "separar el estado del grafo del lote anterior",
        "ja": "状態を前のバッチの計算グラフから切り離す",
    },
    "detach-target": {
        "en": "keep gradients out of the target: {code}",
        "es": "dejar el objetivo sin gradientes: {code}",
        "ja": "ターゲットに勾配を流さない: {code}",
    },
    "detached": {
        "en": "hand it on without its graph: {code}",
        "es": "entregarlo sin su grafo: {code}",
        "ja": "計算グラフを切り離して渡す: {code}",
    },
    "diagonal": {
        "en": "label row i with column i: {code}",
        "es": "etiquetar la fila i con la columna i: {code}",
        "ja": "行 i のラベルを列 i にする: {code}",
    },
    "dim": {
        "en": "let {op} run over axis {dim}",
        "es": "aplicar {op} sobre el eje {dim}",
        "ja": "{op} を軸 {dim} に沿って計算する",
    },
    "divide-by": {
        "en": "divide by what was counted: {code}",
        "es": "dividir entre lo que se contó: {code}",
        "ja": "数えたものの個数で割る: {code}",
    },
    "drop": {"en": "leave out {code}", "es": "quitar {code}", "ja": "{code} を取り除く"},
    "each-round": {
        "en": "begin each round of line {line} with new weights",
        "es": "empezar cada vuelta de la línea {line} con pesos nuevos",
        "ja": "{line} 行目のループの各回を新しい重みで始める",
    },
    "eval-mode": {
        "en": "switch to evaluation mode before evaluating",
        "es": "pasar a modo de evaluación antes de evaluar",
        "ja": "評価の前に評価モードへ切り替える",
    },
    "exchange-pairs": {
        "en": "exchange the two sides of the table: {code}",
        "es": "intercambiar los dos lados de la tabla: {code}",
        "ja": "表の二つの辺を入れ替える: {code}",
    },
    "flag": {"en": "tell the call: {code}", "es": "indicar en la llamada: {code}", "ja": "呼び出しに指定する: {code}"},
    "frames": {
        "en": "give the layer one frame at a time: {code}",
        "es": "dar a la capa un fotograma cada vez: {code}",
        "ja": "層には一コマずつ渡す: {code}",
    },
    "from-the-end": {
        "en": "sum from the last step to the first: {code}",
        "es": "sumar del último paso al primero: {code}",
        "ja": "最後のステップから最初へ足す: {code}",
    },
    "gradient": {
        "en": "return the gradient in its input's shape: {code}",
        "es": "devolver el gradiente con la forma de su entrada: {code}",
        "ja": "入力と同じ形で勾配を返す: {code}",
    },
    "hand-over": {
        "en": "give the optimizer {code} too",
        "es": "dar también {code} al optimizador",
        "ja": "オプティマイザに {code} も渡す",
    },
    "heads": {
        "en": "use {value} heads, which divide {width}",
        "es": "usar {value} cabezas, que dividen {width}",
        "ja": "{width} を割り切る {value} ヘッドにする",
    },
    "ignore-padding": {
        "en": "leave padding out of the loss: {code}",
        "es": "dejar el relleno fuera de la pérdida: {code}",
        "ja": "損失からパディングを除く: {code}",
    },
    "interleave": {
        "en": "make the copies of a sample stand together: {code}",
        "es": "poner juntas las copias de cada muestra: {code}",
        "ja": "同じサンプルの複製を並べて置く: {code}",
    },
    "into-loop": {
        "en": "move the step into the loop of line {line}",
        "es": "mover el paso dentro del bucle de la línea {line}",
        "ja": "更新の手順を {line} 行目のループの中へ移す",
    },
    "item": {
        "en": "add up numbers, not graphs: {code}",
        "es": "sumar números, no grafos: {code}",
        "ja": "計算グラフではなく数値を足す: {code}",
    },
    "join": {"en": "join them with {code}", "es": "unirlos con {code}", "ja": "{code} でまとめる"},
    "keep-copy": {"en": "keep a copy: {code}", "es": "guardar una copia: {code}", "ja": "コピーを残す: {code}"},
    "keepdim": {
        "en": "keep the axis, so that each row meets its own value: {code}",
        "es": "conservar el eje, para que cada fila tenga su propio valor: {code}",
        "ja": "軸を残し、各行が自分の値と組になるようにする: {code}",
    },
    "last-real": {
        "en": "read the last real step: {code}",
        "es": "leer el último paso real: {code}",
        "ja": "最後の実ステップを読む: {code}",
    },
    "layer": {
        "en": "use {code} in place of {old}",
        "es": "usar {code} en lugar de {old}",
        "ja": "{old} の代わりに {code} を使う",
    },
    "like": {
        "en": "make the target in the shape of the scores: {code}",
        "es": "crear el objetivo con la forma de las puntuaciones: {code}",
        "ja": "ターゲットをスコアと同じ形で作る: {code}",
    },
    "log-softmax": {
        "en": "give the loss log-probabilities: {code}",
        "es": "dar a la pérdida logaritmos de probabilidades: {code}",
        "ja": "損失に対数確率を渡す: {code}",
    },
    "long-pieces": {
        "en": "give each column one long piece: {code}",
        "es": "dar a cada columna un trozo largo: {code}",
        "ja": "各列に一続きの区間を入れる: {code}",
    },
    "mask-padding": {
        "en": "hide the padding from attention: {code}",
        "es": "ocultar el relleno a la atención: {code}",
        "ja": "パディングをアテンションから隠す: {code}",
    },
    "mask-size": {
        "en": "make the mask for the tokens that are given: {code}",
        "es": "crear la máscara para los tokens dados: {code}",
        "ja": "渡すトークンの数に合わせてマスクを作る: {code}",
    },
    "matmul": {
        "en": "multiply with {code}, which broadcasts",
        "es": "multiplicar con {code}, que difunde",
        "ja": "ブロードキャストする {code} で掛ける",
    },
    "mean-masked": {
        "en": "divide by the number of real steps: {code}",
        "es": "dividir entre el número de pasos reales: {code}",
        "ja": "実際のステップ数で割る: {code}",
    },
    "mean-real": {
        "en": "average over the real steps only",
        "es": "promediar solo los pasos reales",
        "ja": "実ステップだけで平均する",
    },
    "mode-asked": {
        "en": "let the module's mode decide: {code}",
        "es": "dejar que decida el modo del módulo: {code}",
        "ja": "モジュールのモードに従わせる: {code}",
    },
    "move-after": {
        "en": "split the last axis where it stands, then move it: {code}",
        "es": "dividir el último eje en su sitio y después moverlo: {code}",
        "ja": "最後の軸をその場で分けてから動かす: {code}",
    },
    "move-after-view": {
        "en": "take the axis apart in its own order, then move the parts: {code}",
        "es": "separar el eje en su propio orden y después mover las partes: {code}",
        "ja": "まとめたときの順に軸を分けてから動かす: {code}",
    },
    "move-first": {
        "en": "move the axes before folding them: {code}",
        "es": "mover los ejes antes de plegarlos: {code}",
        "ja": "畳む前に軸を動かす: {code}",
    },
    "move-line": {
        "en": "move {code} to its place in the step",
        "es": "mover {code} a su lugar en el paso",
        "ja": "{code} を正しい位置へ移す",
    },
    "no-activation": {
        "en": "give the loss the raw scores, without {code}",
        "es": "dar a la pérdida las puntuaciones sin {code}",
        "ja": "{code} を通さない生のスコアを損失に渡す",
    },
    "no-grad": {
        "en": "change the parameters outside of autograd: {code}",
        "es": "cambiar los parámetros fuera de autograd: {code}",
        "ja": "自動微分の外でパラメータを更新する: {code}",
    },
    "norm-features": {
        "en": "normalise the features where they stand: {code}",
        "es": "normalizar las características donde están: {code}",
        "ja": "特徴の軸で正規化する: {code}",
    },
    "normalise": {
        "en": "normalise the channels that there are: {code}",
        "es": "normalizar los canales que hay: {code}",
        "ja": "実際のチャンネル数で正規化する: {code}",
    },
    "number": {
        "en": "write {new} in place of {old}",
        "es": "escribir {new} en lugar de {old}",
        "ja": "{old} を {new} に書き換える",
    },
    "one-way": {
        "en": "let {module} read in one direction",
        "es": "hacer que {module} lea en una sola dirección",
        "ja": "{module} を一方向にする",
    },
    "only-fitting": {
        "en": "load only the entries that fit: {code}",
        "es": "cargar solo las entradas que encajan: {code}",
        "ja": "形の合う項目だけを読み込む: {code}",
    },
    "optimizer-later": {
        "en": "make the optimizer after line {line}",
        "es": "crear el optimizador después de la línea {line}",
        "ja": "{line} 行目の後でオプティマイザを作る",
    },
    "own-name": {
        "en": "report {name} instead of {old}",
        "es": "informar {name} en lugar de {old}",
        "ja": "{old} ではなく {name} を報告する",
    },
    "packed": {
        "en": "end each sequence where it ends: {code}",
        "es": "terminar cada secuencia donde termina: {code}",
        "ja": "各系列を実際の終わりで止める: {code}",
    },
    "pad": {
        "en": "pad the samples as they are put together: {code}",
        "es": "rellenar las muestras al juntarlas: {code}",
        "ja": "まとめるときにサンプルをパディングする: {code}",
    },
    "per-sample": {
        "en": "fold each sample by itself: {code}",
        "es": "plegar cada muestra por separado: {code}",
        "ja": "サンプルごとに畳む: {code}",
    },
    "permute": {
        "en": "put the axes in the order that is wanted: {code}",
        "es": "poner los ejes en el orden que se espera: {code}",
        "ja": "軸を求められる順に並べる: {code}",
    },
    "policy-gradient": {
        "en": "weight the log-probability of what was drawn by its reward: {code}",
        "es": "ponderar el logaritmo de probabilidad de lo sorteado con su recompensa: {code}",
        "ja": "サンプリングされたものの対数確率に報酬を掛ける: {code}",
    },
    "positions": {
        "en": "count positions along the sequence: {code}",
        "es": "contar las posiciones a lo largo de la secuencia: {code}",
        "ja": "位置を系列に沿って数える: {code}",
    },
    "project": {
        "en": "project the shortcut to the block's width: {code}",
        "es": "proyectar el atajo al ancho del bloque: {code}",
        "ja": "ショートカットをブロックの幅に射影する: {code}",
    },
    "reduce": {
        "en": "reduce the loss to one number: {code}",
        "es": "reducir la pérdida a un número: {code}",
        "ja": "損失を一つの数にまとめる: {code}",
    },
    "register": {
        "en": "register the layers: {code}",
        "es": "registrar las capas: {code}",
        "ja": "層を登録する: {code}",
    },
    "repeat": {
        "en": "repeat whole batches, as the other operand does: {code}",
        "es": "repetir lotes enteros, como el otro operando: {code}",
        "ja": "もう一方と同じくバッチごと繰り返す: {code}",
    },
    "reshape": {
        "en": "use reshape, which copies where a view cannot be had",
        "es": "usar reshape, que copia donde no cabe una vista",
        "ja": "view にできない場合はコピーする reshape を使う",
    },
    "resize": {
        "en": "bring both to one size before they meet: {code}",
        "es": "llevar ambos al mismo tamaño antes de unirlos: {code}",
        "ja": "合わせる前に同じ大きさにそろえる: {code}",
    },
    "rows": {
        "en": "give the table the places that are asked for: {code}",
        "es": "dar a la tabla las posiciones que se piden: {code}",
        "ja": "表に必要な位置の数を持たせる: {code}",
    },
    "same-order": {
        "en": "shuffle both by one permutation: {code}",
        "es": "barajar ambos con una sola permutación: {code}",
        "ja": "両方を同じ順列で並べ替える: {code}",
    },
    "shift": {
        "en": "compare each step with the next token: {code}",
        "es": "comparar cada paso con el token siguiente: {code}",
        "ja": "各ステップを次のトークンと比べる: {code}",
    },
    "shift-once": {
        "en": "shift the targets once, without {code}",
        "es": "desplazar los objetivos una sola vez, sin {code}",
        "ja": "ずらすのは一度だけにし、{code} を外す",
    },
    "sign": {"en": "turn the sign over", "es": "cambiar el signo", "ja": "符号を反転する"},
    "size": {
        "en": "set {argument} of {module} to {value}",
        "es": "poner {argument} de {module} en {value}",
        "ja": "{module} の {argument} を {value} にする",
    },
    "squeeze-all": {"en": "{code} on {name}", "es": "{code} en {name}", "ja": "{name} に {code}"},
    "squeeze-all-both": {"en": "{code} on both", "es": "{code} en ambos", "ja": "両方に {code}"},
    "squeeze-axis": {
        "en": "name the axis to take away: {code}",
        "es": "nombrar el eje que se quita: {code}",
        "ja": "取り除く軸を明示する: {code}",
    },
    "state-order": {
        "en": "put the state's axes in order: {code}",
        "es": "ordenar los ejes del estado: {code}",
        "ja": "状態の軸の順を直す: {code}",
    },
    "step": {
        "en": "let the optimizer step: {code}",
        "es": "hacer avanzar el optimizador: {code}",
        "ja": "オプティマイザを進める: {code}",
    },
    "steps": {
        "en": "{count} edits that need one another",
        "es": "{count} ediciones que se necesitan entre sí",
        "ja": "互いに必要な {count} か所の変更",
    },
    "swap": {
        "en": "put the two the other way round: {code}",
        "es": "intercambiar los dos: {code}",
        "ja": "二つを入れ替える: {code}",
    },
    "table": {
        "en": "turn the table to the layout of the input: {code}",
        "es": "girar la tabla a la disposición de la entrada: {code}",
        "ja": "表の向きを入力の並びに合わせる: {code}",
    },
    "take-axis-both": {
        "en": "{code} on both, where they are made",
        "es": "{code} en ambos, donde se crean",
        "ja": "両方に、作られる所で {code}",
    },
    "to-device": {
        "en": "bring both to one device: {code}",
        "es": "llevar ambos al mismo dispositivo: {code}",
        "ja": "同じデバイスにそろえる: {code}",
    },
    "train-mode": {
        "en": "switch back to training mode",
        "es": "volver al modo de entrenamiento",
        "ja": "訓練モードに戻す",
    },
    "transposed": {
        "en": "let the last layer restore the input's size: padding={padding}, output_padding={extra}",
        "es": "hacer que la última capa recupere el tamaño de la entrada: padding={padding}, output_padding={extra}",
        "ja": "最後の層で入力の大きさに戻す: padding={padding}, output_padding={extra}",
    },
    "transpose-second": {
        "en": "transpose the second operand: {code}",
        "es": "transponer el segundo operando: {code}",
        "ja": "二つ目の項を転置する: {code}",
    },
    "turn-mask": {
        "en": "turn the mask round: {code}",
        "es": "invertir la máscara: {code}",
        "ja": "マスクを反転する: {code}",
    },
    "uncut": {
        "en": "keep the gradient, without {code}",
        "es": "conservar el gradiente, sin {code}",
        "ja": "{code} を外して勾配を保つ",
    },
    "unpack": {
        "en": "unpack what is there: {code}",
        "es": "desempaquetar lo que hay: {code}",
        "ja": "実際の中身に合わせて受け取る: {code}",
    },
    "unreduced": {
        "en": "weight each sample before the mean: {code}",
        "es": "ponderar cada muestra antes de la media: {code}",
        "ja": "平均の前に各サンプルへ重みを掛ける: {code}",
    },
    "width": {
        "en": "make the width {value}, which {heads} heads divide",
        "es": "poner el ancho en {value}, divisible entre {heads} cabezas",
        "ja": "幅を {heads} ヘッドで割り切れる {value} にする",
    },
    "with-grad": {
        "en": "train with gradients: {code}",
        "es": "entrenar con gradientes: {code}",
        "ja": "勾配を有効にして訓練する: {code}",
    },
    "wrap": {"en": "{code} on {name}", "es": "{code} en {name}", "ja": "{name} に {code}"},
    "zero-grad": {
        "en": "clear the gradients first: {code}",
        "es": "borrar antes los gradientes: {code}",
        "ja": "先に勾配を消す: {code}",
    },
}
REASONS: dict[str, dict[str, str]] = {
    "alone": {
        "en": "fails at batch 1, line {line}: {message}",
        "es": "falla con lote 1, línea {line}: {message}",
        "ja": "バッチ 1 で失敗、{line} 行目: {message}",
    },
    "fails": {
        "en": "fails at line {line}: {message}",
        "es": "falla en la línea {line}: {message}",
        "ja": "{line} 行目で失敗: {message}",
    },
    "silent": {
        "en": "runs, but line {line}: {message}",
        "es": "se ejecuta, pero en la línea {line}: {message}",
        "ja": "動きはしますが、{line} 行目: {message}",
    },
    "same": {"en": "changes nothing", "es": "no cambia nada", "ja": "何も変わりません"},
}


def title(kind: str, fields: dict[str, str], lang: str) -> str:
    """The candidate's title."""
    return TEXTS[kind][lang].format(**fields)


def reason(kind: str, lang: str, line: int = 0, message: str = "") -> str:
    """Why a candidate was put aside."""
    return REASONS[kind][lang].format(line=line, message=message)
