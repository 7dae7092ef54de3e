"""What a run may have made up, as sentences: one entry per kind, in alphabetical order, the same named fields in every
language."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "argument-filled": {
        "en": "the required argument {name} was not given: {value} was used",
        "es": "no se dio el argumento obligatorio {name}: se usó {value}",
        "ja": "必須の引数 {name} が無いため、{value} を使いました",
    },
    "argument-unknown": {
        "en": "the project's start command passes {words}, which the script does not accept; it was left out",
        "es": "el comando con que el proyecto inicia el script pasa {words}, que el script no acepta; se omitió",
        "ja": "プロジェクトの起動例にある引数 {words} をスクリプトは受け付けないため、省きました",
    },
    "assertion-passed-over": {
        "en": (
            "an assertion about a measure of the training was skipped: it does not hold after the few iterations that "
            "were run"
        ),
        "es": (
            "se omitió una aserción sobre una medida del entrenamiento: no se cumple tras las pocas iteraciones "
            "ejecutadas"
        ),
        "ja": "学習の指標についての assert は、実行した少ない反復回数では成り立たないため、スキップしました",
    },
    "cell-failed": {
        "en": "this cell fails with {type}, just as in its saved output, so the check went on with the cells after it",
        "es": "esta celda falla con {type}, igual que en su salida guardada; se siguió con las celdas siguientes",
        "ja": "このセルは保存された出力と同じく {type} で失敗するため、検査は続くセルに進みました",
    },
    "checkpoint-absent": {
        "en": "{file} does not exist: the weights and counters that it would restore kept their initial values",
        "es": "{file} no existe: los pesos y contadores que restauraría conservaron sus valores iniciales",
        "ja": "{file} が無いため、そこから読み込まれるはずの重みやカウンタは初期値のままにしました",
    },
    "cuda-simulated": {
        "en": (
            "there is no {device} on this machine: tensors moved there stayed on the CPU, and the check kept track "
            "of the device of each tensor"
        ),
        "es": (
            "no hay {device} en esta máquina: los tensores enviados allí se quedaron en la CPU, y la comprobación "
            "llevó la cuenta del dispositivo de cada uno"
        ),
        "ja": (
            "このマシンに {device} は無いため、そこへ移されたテンソルは CPU に置いたまま、"
            "どのデバイスにあるかだけを追跡しました"
        ),
    },
    "debugger-skipped": {
        "en": "a breakpoint was skipped: nobody operates the debugger during a check",
        "es": "se omitió un punto de interrupción: durante una comprobación nadie maneja el depurador",
        "ja": "検査中はデバッガを操作する人がいないため、ブレークポイントはスキップしました",
    },
    "device-refused": {
        "en": "{action} was refused: it is not done during a check",
        "es": "se ha denegado {action}: no se hace durante una comprobación",
        "ja": "{action} は拒否しました (検査中には行いません)",
    },
    "engine-dry": {
        "en": "the limits do not allow a run with values (limit reached: {why}): checked on shapes alone",
        "es": "los límites no permiten ejecutarlo con valores (límite alcanzado: {why}): se comprobó solo con formas",
        "ja": "制限内では値を使って実行できないため (達した制限: {why})、形状だけで検査しました",
    },
    "fewer-layers": {
        "en": "{name} was built with {kept} of its {real} layers; all widths are the real ones",
        "es": "{name} se construyó con {kept} de sus {real} capas; todas las anchuras son las reales",
        "ja": "{name} は {real} 層のうち {kept} 層だけで構築しました。幅はすべて本物と同じです",
    },
    "file-expected": {
        "en": "{file} is not on this machine: the assertion that it exists was skipped",
        "es": "{file} no está en esta máquina: se omitió la aserción de que existe",
        "ja": "{file} がこのマシンに無いため、その存在を確認する assert はスキップしました",
    },
    "folder-absent": {
        "en": "the folder {folder} does not exist: the check used an empty one, which is not kept",
        "es": "la carpeta {folder} no existe: la comprobación creó una vacía, de la que no se conserva nada",
        "ja": "フォルダ {folder} が無いため、検査中だけ空のものを用意しました (何も残しません)",
    },
    "import-path": {
        "en": "{module} was imported from {folder}, which is not on the script's own import path",
        "es": "{module} se importó desde {folder}, que no está en la ruta de importación del script",
        "ja": "{module} は、スクリプトの import パスに無い {folder} から読み込みました",
    },
    "imports-added": {
        "en": "the imports that the excerpt leaves out were added: {imports}",
        "es": "se añadieron las importaciones que faltan en el fragmento: {imports}",
        "ja": "抜粋に無い import を補いました: {imports}",
    },
    "input-answered": {
        "en": "input() was answered with “{text}”",
        "es": "se respondió a input() con «{text}»",
        "ja": "input() には「{text}」と答えました",
    },
    "input-empty": {
        "en": "standard input was empty, so input() reached the end of file",
        "es": "la entrada estándar estaba vacía, así que input() llegó al fin de archivo",
        "ja": "標準入力は空なので、input() はファイルの終端に達しました",
    },
    "input-last": {
        "en": "input() asks after training and nobody answers it: the check ended there",
        "es": "input() pregunta después del entrenamiento y nadie responde: la comprobación terminó ahí",
        "ja": "学習後の input() に答える人はいないため、そこで検査を終えました",
    },
    "input-passed": {
        "en": "input() was skipped: nothing reads its answer",
        "es": "se omitió input(): nada lee su respuesta",
        "ja": "答えが読まれない input() は飛ばしました",
    },
    "launcher-variable": {
        "en": "{name} was read as {value}, as in a run with a single process",
        "es": "{name} se leyó como {value}, como con un solo proceso",
        "ja": "{name} は単一プロセスとして {value} とみなしました",
    },
    "library-loop": {
        "en": "the loop inside {loop} was cut to a few batches and one epoch",
        "es": "el bucle interno de {loop} se acortó a unos pocos lotes y una época",
        "ja": "{loop} 内部のループは数バッチ・1 エポックに短縮しました",
    },
    "lines-left-out": {
        "en": "the lines of the pasted text that are not code were skipped: {count}",
        "es": "se omitieron las líneas del texto pegado que no son código: {count}",
        "ja": "貼り付けられたテキストのうち、コードでない {count} 行を飛ばしました",
    },
    "loop-shortened": {
        "en": (
            "the loop on line {line} only runs inference and takes long: after {count} iterations it skipped to "
            "the last one"
        ),
        "es": (
            "el bucle de la línea {line} solo hace inferencia y tarda mucho: tras {count} iteraciones se pasó a la "
            "última"
        ),
        "ja": (
            "{line} 行目のループは推論だけを行い、時間がかかるため、{count} 回で打ち切り、最後の 1 回だけ実行しました"
        ),
    },
    "made-short": {
        "en": "too slow to run: {new} was used in place of {old}, the iteration count of a loop that builds the data",
        "es": "demasiado lento: se usó {new} en vez de {old}, el número de iteraciones de un bucle que crea los datos",
        "ja": "そのままでは時間がかかりすぎるため、データを作るループの回数 {old} を {new} として実行しました",
    },
    "made-small": {
        "en": "too large to run: {new} was used in place of {old}, which sets the size of the data",
        "es": "demasiado grande: se usó {new} en lugar de {old}, que fija el tamaño de los datos",
        "ja": "そのままでは大きすぎるため、データのサイズを決める {old} を {new} として実行しました",
    },
    "module-made": {
        "en": (
            "nothing in the project calls {name}: it was built with synthetic sizes and called with inputs of shape "
            "{shape}, to see whether it runs; its values were not checked"
        ),
        "es": (
            "nada en el proyecto llama a {name}: se construyó con tamaños sintéticos y se llamó con entradas de forma "
            "{shape}, para ver si se ejecuta; sus valores no se comprobaron"
        ),
        "ja": (
            "プロジェクト内で {name} が呼ばれないため、仮のサイズで作成し、形状 {shape} の入力で呼び出せることだけを"
            "確認しました (値は未検査です)"
        ),
    },
    "module-tried": {
        "en": "nothing in the file calls {name}: it was built and called with an input of shape {shape}",
        "es": "nada en el archivo llama a {name}: se construyó y se llamó con una entrada de forma {shape}",
        "ja": "ファイル内で {name} が呼ばれないため、作成して形状 {shape} の入力で呼び出しました",
    },
    "name-absent": {
        "en": "{name} is not in any installed library: its calls were skipped, except those that compute tensors",
        "es": "{name} no está en ninguna biblioteca instalada: se omitieron las llamadas que no calculan tensores",
        "ja": "{name} はインストール済みのライブラリに無いため、テンソルを計算しない呼び出しはスキップしました",
    },
    "network-refused": {
        "en": (
            "there is no network during a check: the request to {address} got the same reply as on an offline machine"
        ),
        "es": (
            "durante una comprobación no hay red: la petición a {address} recibió la misma respuesta que en una "
            "máquina sin conexión"
        ),
        "ja": "検査中はネットワークを使わないため、{address} への要求にはオフライン時と同じ応答を返しました",
    },
    "old-interface": {
        "en": "{old} no longer exists; it was read as {new}",
        "es": "{old} ya no existe; se leyó como {new}",
        "ja": "{old} はもう存在しないため、{new} とみなしました",
    },
    "once-alone": {
        "en": "before PyTorch 0.4 a single number had one axis: this line was run so and the rest was checked. Today "
        ".item() reads the number and .unsqueeze(0) gives it an axis",
        "es": "antes de PyTorch 0.4 un solo número tenía un eje: esta línea se ejecutó así y se comprobó el resto. Hoy "
        ".item() lee el número y .unsqueeze(0) le da un eje",
        "ja": "PyTorch 0.4 より前は 1 つの数にも軸があったため、この行はその意味で実行し、残りを検査しました。現在は "
        ".item() で数を読み、.unsqueeze(0) で軸を付けます",
    },
    "once-channels": {
        "en": "torchvision before 0.5 ignored Normalize's surplus means, so it was run so. Today: one per channel",
        "es": "torchvision, antes de 0.5, omitía las medias sobrantes de Normalize; se ejecutó así. Hoy: una por canal",
        "ja": "torchvision 0.5 より前の Normalize は余分な平均を無視したため、その意味で実行しました。"
        "現在はチャネルごとに 1 つ必要です",
    },
    "once-quotient": {
        "en": "up to PyTorch 1.5 the / of integer tensors gave an integer (1.6 refuses it, 1.7 and later divide "
        "exactly): this line was run so and the rest was checked. Today // gives the integer",
        "es": "hasta PyTorch 1.5 el / de tensores enteros daba un entero (1.6 lo rechaza; desde 1.7 la división es "
        "exacta): esta línea se ejecutó así y se comprobó el resto. Hoy el entero lo da //",
        "ja": "PyTorch 1.5 までは整数テンソルどうしの / の結果が整数だったため (1.6 ではエラー、1.7 からは小数の除算)、"
        "この行はその意味で実行し、残りを検査しました。現在は // を使います",
    },
    "once-truth": {
        "en": "before PyTorch 1.2 comparisons gave 0 and 1 (uint8): this line was run so and the rest was checked. "
        "Today ~mask inverts a mask, .bool() makes one and .long() makes numbers of it",
        "es": "antes de PyTorch 1.2 las comparaciones daban 0 y 1 (uint8): esta línea se ejecutó así y se comprobó el "
        "resto. Hoy ~mask invierte una máscara, .bool() la crea y .long() la convierte en números",
        "ja": "PyTorch 1.2 より前は比較の結果が 0 と 1 (uint8) だったため、この行はその意味で実行し、"
        "残りを検査しました。現在は ~mask で反転し、.bool() でマスクに、.long() で数にします",
    },
    "one-rank": {
        "en": "the script was run as rank {rank} of {count} processes; with a single process it does not fail here",
        "es": "el script se ejecutó como el rango {rank} de {count} procesos; con un solo proceso no falla aquí",
        "ja": "スクリプトを {count} プロセスのうちのランク {rank} として実行しました。1 プロセスではここで失敗しません",
    },
    "package-as-library": {
        "en": "the package {package} beside the script has many files: it was run as a library and not checked itself",
        "es": "el paquete {package} junto al script tiene muchos archivos: se ejecutó como biblioteca, sin comprobarlo",
        "ja": "スクリプトの隣にあるパッケージ {package} はファイルが多いため、ライブラリとして実行し、検査していません",
    },
    "plot-passed-over": {
        "en": "{name} was skipped: its lists have different lengths because a loop was cut short",
        "es": "se omitió {name}: sus listas tienen longitudes distintas porque se acortó un bucle",
        "ja": "ループの短縮でリストの長さがそろわないため、{name} はスキップしました",
    },
    "probe-skipped": {
        "en": "{module} was not fully probed within the limits: whether its samples stay independent is only partly "
        "known",
        "es": "{module} no se sondeó del todo dentro de los límites: solo se sabe en parte si sus muestras son "
        "independientes",
        "ja": "制限内では {module} の検査を終えられませんでした。サンプル同士が独立かどうかは一部しか確かめていません",
    },
    "process-in-thread": {
        "en": "{action} ran within one process instead of separate processes",
        "es": "{action} se ejecutó dentro de un solo proceso en lugar de procesos propios",
        "ja": "{action} は別プロセスではなく、同じプロセス内で実行しました",
    },
    "process-refused": {
        "en": "no other program was started; {command} was assumed to succeed with no output",
        "es": "no se inició ningún otro programa; se supuso que {command} terminó bien y sin salida",
        "ja": "外部プログラムは起動せず、{command} は出力なしで成功したものとみなしました",
    },
    "recording-failed": {
        "en": "a part of what the script computes could not be recorded ({error}); what depends on it was not checked",
        "es": "parte de lo que calcula el script no se pudo registrar ({error}); lo que depende de ello no se comprobó",
        "ja": "スクリプトの計算の一部を記録できませんでした ({error})。それに依存する項目は未検査です",
    },
    "repair-failed": {
        "en": "the search for repairs failed ({error})",
        "es": "la búsqueda de reparaciones falló ({error})",
        "ja": "修正候補を探せませんでした ({error})",
    },
    "rows-left-out": {
        "en": "only the first {count} of the {total} synthetic samples were used here",
        "es": "aquí solo se usaron las primeras {count} de las {total} muestras sintéticas",
        "ja": "ここでは、合成したサンプル {total} 件のうち最初の {count} 件だけを使いました",
    },
    "rule-failed": {
        "en": "rule {rule} could not be applied ({error}); what it looks for was not checked",
        "es": "la regla {rule} no se pudo aplicar ({error}); lo que busca quedó sin comprobar",
        "ja": "ルール {rule} を適用できませんでした ({error})。その項目は未検査です",
    },
    "run-as-module": {
        "en": "the script imports other parts of its own package, so it was run as python -m {module}",
        "es": "el script importa otras partes de su propio paquete, así que se ejecutó como python -m {module}",
        "ja": "スクリプトが自身のパッケージの他の部分をインポートするため、python -m {module} として実行しました",
    },
    "run-by": {
        "en": "{file} only defines classes and functions: {script}, which imports it, was run",
        "es": "{file} solo define clases y funciones: se ejecutó {script}, que lo importa",
        "ja": "{file} はクラスと関数を定義するだけなので、それをインポートする {script} を実行しました",
    },
    "run-from": {
        "en": "the files that the script reads are in {folder}: it was run from there",
        "es": "los archivos que lee el script están en {folder}: se ejecutó desde allí",
        "ja": "スクリプトが読むファイルは {folder} にあるため、そこから実行しました",
    },
    "samples-made-up": {
        "en": "{name} cannot read its data here: samples of the shapes that the operators expect were used instead",
        "es": "{name} no puede leer aquí sus datos: se usaron muestras de las formas que los operadores esperan",
        "ja": "{name} はここではデータを読めないため、演算が期待する形状の合成サンプルを代わりに使いました",
    },
    "settings-alike": {
        "en": "{file} is not on this machine: the settings in {other} were read instead",
        "es": "{file} no está en esta máquina: en su lugar se leyó la configuración de {other}",
        "ja": "{file} はこのマシンに無いため、代わりに {other} の設定を読み込みました",
    },
    "signal-refused": {
        "en": "signal {signal} to process {pid} was not sent",
        "es": "no se envió la señal {signal} al proceso {pid}",
        "ja": "プロセス {pid} へのシグナル {signal} は送りませんでした",
    },
    "single-process": {
        "en": "distributed training ({backend}) ran as a single process",
        "es": "el entrenamiento distribuido ({backend}) se ejecutó en un solo proceso",
        "ja": "分散学習 ({backend}) は単一プロセスで実行しました",
    },
    "stand-in-array": {
        "en": "{file} does not exist: synthetic numbers ({dtype}) were used instead",
        "es": "{file} no existe: en su lugar se usaron números sintéticos ({dtype})",
        "ja": "{file} が無いため、合成した数値 ({dtype}) を代わりに使いました",
    },
    "stand-in-dataset": {
        "en": "data set {name} is not on this machine: synthetic rows with its columns ({columns}) were used instead",
        "es": (
            "el conjunto de datos {name} no está en esta máquina: se usaron filas sintéticas con sus columnas "
            "({columns})"
        ),
        "ja": "データセット {name} はこのマシンに無いため、同じ列 ({columns}) を持つ合成した行を代わりに使いました",
    },
    "stand-in-environment": {
        "en": "environment {name} was replaced by a small one with the same observation and action spaces",
        "es": "el entorno {name} se sustituyó por uno pequeño con los mismos espacios de observación y de acción",
        "ja": "環境 {name} は、観測空間と行動空間が同じ簡易な環境に置き換えました",
    },
    "stand-in-file": {
        "en": "{file} is not on this machine: synthetic data in the form that the script reads were used instead",
        "es": "{file} no está en esta máquina: se usaron datos sintéticos con la forma que lee el script",
        "ja": "{file} はこのマシンに無いため、スクリプトが読む形式の合成データを代わりに使いました",
    },
    "stand-in-model": {
        "en": (
            "{name} is not on this machine: it was built from its public configuration ({width}) with random weights"
        ),
        "es": (
            "{name} no está en esta máquina: se construyó con su configuración pública ({width}) y pesos aleatorios"
        ),
        "ja": "{name} はこのマシンに無いため、公開されている設定 ({width}) と乱数の重みで構築しました",
    },
    "stand-in-module": {
        "en": "{module} is not installed: its calls that do not compute tensors were skipped",
        "es": "{module} no está instalado: se omitieron sus llamadas que no calculan tensores",
        "ja": "{module} は未インストールのため、テンソル以外の用途での呼び出しはスキップしました",
    },
    "stand-in-optimizer": {
        "en": "{module} is not installed: torch.optim.Adam was used instead of its {name}",
        "es": "{module} no está instalado: se usó torch.optim.Adam en lugar de su {name}",
        "ja": "{module} は未インストールのため、その {name} の代わりに torch.optim.Adam を使いました",
    },
    "stand-in-tokenizer": {
        "en": (
            "the tokenizer of {name} is not on this machine: a synthetic vocabulary with the same special tokens "
            "and of the same size was used instead"
        ),
        "es": (
            "el tokenizador de {name} no está en esta máquina: se usó un vocabulario sintético con los mismos "
            "tokens especiales y del mismo tamaño"
        ),
        "ja": "{name} のトークナイザはこのマシンに無いため、特殊トークンと語彙サイズが同じ合成した語彙を使いました",
    },
    "stand-in-values": {
        "en": "{module} is not installed: synthetic values of a plausible form were used instead of its results",
        "es": "{module} no está instalado: en lugar de sus resultados se usaron valores sintéticos de forma verosímil",
        "ja": "{module} は未インストールのため、その結果の代わりに、もっともらしい形の合成した値を使いました",
    },
    "started-as": {
        "en": "the script was started with the arguments that its project shows: {arguments}",
        "es": "el script se inició con los argumentos que muestra su proyecto: {arguments}",
        "ja": "プロジェクトの説明にある引数 {arguments} で実行しました",
    },
    "unknown-dataset": {
        "en": "data set {name} is neither on this machine nor among the public data sets that shapewright knows",
        "es": "el conjunto de datos {name} no está en esta máquina ni entre los públicos que shapewright conoce",
        "ja": "データセット {name} はこのマシンになく、shapewright が知る公開データセットにもありません",
    },
    "unknown-model": {
        "en": "{name} is neither on this machine nor among the public models that shapewright knows",
        "es": "{name} no está en esta máquina ni entre los modelos públicos que shapewright conoce",
        "ja": "{name} はこのマシンになく、shapewright が知る公開モデルにもありません",
    },
    "value-assumed": {
        "en": "the script read a value that the shapes alone do not determine; {value} was assumed",
        "es": "el script leyó un valor que las formas por sí solas no determinan; se supuso {value}",
        "ja": "形状だけでは分からない値が読まれたため、{value} と仮定しました",
    },
    "variable-filled": {
        "en": "the environment variable {name} is not set: {value} was used",
        "es": "la variable de entorno {name} no está definida: se usó {value}",
        "ja": "環境変数 {name} が設定されていないため、{value} を使いました",
    },
    "write-redirected": {
        "en": "{path} was changed in a scratch copy only; the original was not touched",
        "es": "{path} se modificó solo en una copia temporal; el original no se tocó",
        "ja": "{path} の変更は一時コピーだけに反映し、ディスク上の実物は変更していません",
    },
    "write-refused": {
        "en": "{action} on {path} was refused: it would have changed what is outside the check",
        "es": "se ha denegado {action} sobre {path}: habría modificado algo fuera de la comprobación",
        "ja": "{path} への {action} は、検査の外にあるものを変更するため拒否しました",
    },
}
