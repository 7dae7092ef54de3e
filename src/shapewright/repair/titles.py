"""What each kind of candidate is called, and why a tempting one was put aside, in three languages."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "batch-first": {"en": "make {module} with batch_first={value}", "es": "crear {module} con batch_first={value}", "ja": "{module} を batch_first={value} で作る"},
    "batch-from": {"en": "take the size from the batch at hand: {code}", "es": "tomar el tamaño del lote presente: {code}", "ja": "実際のバッチからサイズを取る: {code}"},
    "call": {"en": "call the module itself: {code}(…)", "es": "llamar al propio módulo: {code}(…)",
             "ja": "モジュール自体を呼び出す: {code}(…)"},
    "causal": {"en": "hide later tokens: {code}", "es": "ocultar los tokens posteriores: {code}",
               "ja": "後続のトークンを隠す: {code}"},
    "condition": {"en": "project the shortcut also when {code}", "es": "proyectar el atajo también cuando {code}",
                  "ja": "{code} のときもショートカットを射影する"},
    "detach": {"en": "cut the state off from the last batch's graph", "es": "separar el estado del grafo del lote anterior", "ja": "状態を前のバッチの計算グラフから切り離す"},
    "dim": {"en": "let {op} run over axis {dim}", "es": "aplicar {op} sobre el eje {dim}", "ja": "{op} を軸 {dim} に沿って計算する"},
    "drop": {"en": "leave out {code}", "es": "quitar {code}", "ja": "{code} を取り除く"},
    "eval-mode": {"en": "switch to evaluation mode before evaluating", "es": "pasar a modo de evaluación antes de evaluar", "ja": "評価の前に評価モードへ切り替える"},
    "hand-over": {"en": "give the optimiser {code} too", "es": "dar también {code} al optimizador",
                  "ja": "オプティマイザに {code} も渡す"},
    "heads": {"en": "use {value} heads, which divide {width}", "es": "usar {value} cabezas, que dividen {width}", "ja": "{width} を割り切る {value} ヘッドにする"},
    "interleave": {"en": "make the copies of a sample stand together: {code}", "es": "poner juntas las copias de cada muestra: {code}", "ja": "同じサンプルの複製を並べて置く: {code}"},
    "item": {"en": "add up numbers, not graphs: {code}", "es": "sumar números, no grafos: {code}", "ja": "計算グラフではなく数値を足す: {code}"},
    "last-real": {"en": "read the last real step: {code}", "es": "leer el último paso real: {code}", "ja": "最後の実ステップを読む: {code}"},
    "like": {"en": "make the target in the shape of the scores: {code}", "es": "crear el objetivo con la forma de las puntuaciones: {code}", "ja": "目標をスコアと同じ形で作る: {code}"},
    "log-softmax": {"en": "give the loss log-probabilities: {code}", "es": "dar a la pérdida logaritmos de probabilidades: {code}", "ja": "損失に対数確率を渡す: {code}"},
    "mask-padding": {"en": "hide the padding from attention: {code}", "es": "ocultar el relleno a la atención: {code}",
                     "ja": "パディングを注意機構から隠す: {code}"},
    "mean-real": {"en": "average over the real steps only", "es": "promediar solo los pasos reales", "ja": "実ステップだけで平均する"},
    "mode-asked": {"en": "let the module's mode decide: {code}", "es": "dejar que decida el modo del módulo: {code}",
                   "ja": "モジュールのモードに従わせる: {code}"},
    "move-after": {"en": "split the last axis where it stands, then move it: {code}", "es": "dividir el último eje en su sitio y después moverlo: {code}", "ja": "最後の軸をその場で分けてから動かす: {code}"},
    "move-first": {"en": "move the axes before folding them: {code}", "es": "mover los ejes antes de plegarlos: {code}", "ja": "畳む前に軸を動かす: {code}"},
    "move-line": {"en": "move {code} to its place in the step", "es": "mover {code} a su lugar en el paso",
                  "ja": "{code} を正しい位置へ移す"},
    "no-activation": {"en": "give the loss the raw scores, without {code}", "es": "dar a la pérdida las puntuaciones sin {code}", "ja": "{code} を通さない生のスコアを損失に渡す"},
    "norm-features": {"en": "normalise the features where they stand: {code}", "es": "normalizar las características donde están: {code}",
                      "ja": "特徴の軸で正規化する: {code}"},
    "one-way": {"en": "let {module} read in one direction", "es": "hacer que {module} lea en una sola dirección",
                "ja": "{module} を一方向にする"},
    "optimizer-later": {"en": "make the optimiser after line {line}", "es": "crear el optimizador después de la línea {line}",
                        "ja": "{line} 行目の後でオプティマイザを作る"},
    "own-name": {"en": "report {name} instead of {old}", "es": "informar {name} en lugar de {old}",
                 "ja": "{old} ではなく {name} を報告する"},
    "per-sample": {"en": "fold each sample by itself: {code}", "es": "plegar cada muestra por separado: {code}", "ja": "サンプルごとに畳む: {code}"},
    "permute": {"en": "put the axes in the order that is wanted: {code}", "es": "poner los ejes en el orden que se espera: {code}", "ja": "軸を求められる順に並べる: {code}"},
    "positions": {"en": "count positions along the sequence: {code}", "es": "contar las posiciones a lo largo de la secuencia: {code}", "ja": "位置を系列に沿って数える: {code}"},
    "register": {"en": "register the layers: {code}", "es": "registrar las capas: {code}",
                 "ja": "層を登録する: {code}"},
    "repeat": {"en": "repeat whole batches, as the other operand does: {code}", "es": "repetir lotes enteros, como el otro operando: {code}", "ja": "もう一方と同じくバッチごと繰り返す: {code}"},
    "reshape": {"en": "use reshape, which copies where a view cannot be had", "es": "usar reshape, que copia donde no cabe una vista", "ja": "view にできない場合はコピーする reshape を使う"},
    "shift": {"en": "compare each step with the next token: {code}", "es": "comparar cada paso con el token siguiente: {code}",
              "ja": "各ステップを次のトークンと比べる: {code}"},
    "shift-once": {"en": "shift the targets once, without {code}", "es": "desplazar los objetivos una sola vez, sin {code}",
                   "ja": "ずらすのは一度だけにし、{code} を外す"},
    "sign": {"en": "turn the sign over", "es": "cambiar el signo",
             "ja": "符号を反転する"},
    "size": {"en": "set {argument} of {module} to {value}", "es": "poner {argument} de {module} en {value}", "ja": "{module} の {argument} を {value} にする"},
    "squeeze-all": {"en": "{code} on {name}", "es": "{code} en {name}", "ja": "{name} に {code}"},
    "squeeze-all-both": {"en": "{code} on both", "es": "{code} en ambos", "ja": "両方に {code}"},
    "squeeze-axis": {"en": "name the axis to take away: {code}", "es": "nombrar el eje que se quita: {code}", "ja": "取り除く軸を明示する: {code}"},
    "step": {"en": "let the optimiser step: {code}", "es": "hacer avanzar el optimizador: {code}", "ja": "オプティマイザを進める: {code}"},
    "steps": {"en": "{count} edits that need one another", "es": "{count} ediciones que se necesitan entre sí", "ja": "互いに必要な {count} か所の変更"},
    "swap": {"en": "put the two the other way round: {code}", "es": "intercambiar los dos: {code}",
             "ja": "二つを入れ替える: {code}"},
    "table": {"en": "turn the table to the layout of the input: {code}", "es": "girar la tabla a la disposición de la entrada: {code}", "ja": "表の向きを入力の並びに合わせる: {code}"},
    "take-axis-both": {"en": "{code} on both, where they are made", "es": "{code} en ambos, donde se crean", "ja": "両方に、作られる所で {code}"},
    "train-mode": {"en": "switch back to training mode", "es": "volver al modo de entrenamiento", "ja": "訓練モードに戻す"},
    "transposed": {"en": "let the last layer restore the input's size: padding={padding}, output_padding={extra}",
                   "es": "hacer que la última capa recupere el tamaño de la entrada: padding={padding}, output_padding={extra}",
                   "ja": "最後の層で入力のサイズに戻す: padding={padding}, output_padding={extra}"},
    "uncut": {"en": "keep the gradient, without {code}", "es": "conservar el gradiente, sin {code}",
              "ja": "{code} を外して勾配を保つ"},
    "width": {"en": "make the width {value}, which {heads} heads divide", "es": "poner el ancho en {value}, divisible entre {heads} cabezas", "ja": "幅を {heads} ヘッドで割り切れる {value} にする"},
    "with-grad": {"en": "train with gradients: {code}", "es": "entrenar con gradientes: {code}",
                  "ja": "勾配を有効にして訓練する: {code}"},
    "wrap": {"en": "{code} on {name}", "es": "{code} en {name}", "ja": "{name} に {code}"},
    "zero-grad": {"en": "clear the gradients first: {code}", "es": "borrar antes los gradientes: {code}", "ja": "先に勾配を消す: {code}"},
}
REASONS: dict[str, dict[str, str]] = {
    "alone": {"en": "fails at batch 1, line {line}: {message}", "es": "falla con lote 1, línea {line}: {message}", "ja": "バッチ 1 で失敗、{line} 行目: {message}"},
    "fails": {"en": "fails at line {line}: {message}", "es": "falla en la línea {line}: {message}", "ja": "{line} 行目で失敗: {message}"},
    "silent": {"en": "runs, but line {line}: {message}", "es": "se ejecuta, pero en la línea {line}: {message}", "ja": "動きはしますが、{line} 行目: {message}"},
    "same": {"en": "changes nothing", "es": "no cambia nada", "ja": "何も変わりません"},
}


def title(kind: str, fields: dict[str, str], lang: str) -> str:
    """The candidate's title."""
    return TEXTS[kind][lang].format(**fields)


def reason(kind: str, lang: str, line: int = 0, message: str = "") -> str:
    """Why a candidate was put aside."""
    return REASONS[kind][lang].format(line=line, message=message)
