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
        "en": "the project's start command passes {words}, which the script does not accept; this argument was omitted",
        "es": "el comando de inicio del proyecto pasa {words}, que el script no acepta: este argumento se omitió",
        "ja": "プロジェクトの起動例にある引数 {words} をスクリプトは受け付けないため、省きました",
    },
    "cell-failed": {
        "en": "this cell fails with {type}, just as in its saved output, so the check went on with the cells after it",
        "es": "esta celda falla con {type}, igual que en su salida guardada; la comprobación siguió con las demás",
        "ja": "このセルは保存された出力と同じく {type} で失敗するため、検査は続くセルに進みました",
    },
    "checkpoint-absent": {
        "en": "{file} does not exist: the weights and counters that it would restore kept their initial values",
        "es": "{file} no existe: los pesos y contadores que debía restaurar conservaron sus valores iniciales",
        "ja": "{file} が無いため、そこから読み込まれるはずの重みやカウンタは初期値のままにしました",
    },
    "cuda-simulated": {
        "en": "there is no {device} on this machine: tensors moved there stayed on the CPU, and the check recorded "
        "which device each tensor should be on",
        "es": "no hay {device} en esta máquina: los tensores enviados allí se quedaron en la CPU, y la comprobación "
        "anotó en qué dispositivo debería estar cada uno",
        "ja": "このマシンに {device} は無いため、そこへ移されたテンソルは CPU に置いたまま、本来どのデバイスにあるかだ"
        "けを記録しました",
    },
    "debugger-skipped": {
        "en": "a breakpoint was skipped, because a check does not open the debugger",
        "es": "se omitió un punto de interrupción, porque una comprobación no abre el depurador",
        "ja": "検査ではデバッガを開かないため、ブレークポイントはスキップしました",
    },
    "device-refused": {
        "en": "{action} was refused: a check does not start such a process",
        "es": "se ha denegado {action}: una comprobación no inicia procesos de este tipo",
        "ja": "検査ではこのようなプロセスを起動しないため、{action} は拒否しました",
    },
    "engine-dry": {
        "en": "running the script with values exceeds the limits (limit: {why}), so only shapes were checked",
        "es": "ejecutar el script con valores supera los límites (límite: {why}); solo se comprobaron las formas",
        "ja": "値を使ったスクリプトの実行は制限を超えるため (制限: {why})、形状だけを検査しました",
    },
    "fewer-layers": {
        "en": "{name} was built with only {kept} of its {real} layers; all other sizes are the real ones",
        "es": "{name} se construyó con solo {kept} de sus {real} capas; los demás tamaños son los reales",
        "ja": "{name} は {real} 層のうち {kept} 層だけで構築しました。ほかのサイズは実物と同じです",
    },
    "file-alike": {
        "en": "{file} is not on this machine: {other} was read instead",
        "es": "{file} no está en esta máquina: en su lugar se leyó {other}",
        "ja": "{file} はこのマシンに無いため、代わりに {other} を読み込みました",
    },
    "file-expected": {
        "en": "{file} is not on this machine: the check that it exists was skipped",
        "es": "{file} no está en esta máquina: se omitió la comprobación de que existe",
        "ja": "{file} がこのマシンに無いため、その存在の確認はスキップしました",
    },
    "folder-absent": {
        "en": "the folder {folder} does not exist: the check used an empty temporary folder",
        "es": "la carpeta {folder} no existe: la comprobación usó una carpeta temporal vacía",
        "ja": "フォルダ {folder} が無いため、空の一時フォルダを使いました",
    },
    "import-path": {
        "en": "{module} was imported from {folder}, which is not on the script's own import path",
        "es": "{module} se importó desde {folder}, que no está en la ruta de importación del script",
        "ja": "{module} は、スクリプトの import パスに無い {folder} から読み込みました",
    },
    "imports-added": {
        "en": "imports that are missing in the excerpt were added: {imports}",
        "es": "se añadieron las importaciones que faltan en el fragmento: {imports}",
        "ja": "抜粋に無い import を追加しました: {imports}",
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
        "en": "the check ended at input() after training, because nobody can answer it",
        "es": "la comprobación terminó en el input() posterior al entrenamiento, porque nadie puede responder",
        "ja": "検査中は入力できないため、学習の後の input() で検査を終えました",
    },
    "input-passed": {
        "en": "input() was skipped, because the script does not use what it returns",
        "es": "se omitió input(), porque el script no usa lo que devuelve",
        "ja": "スクリプトが戻り値を使わないため、input() はスキップしました",
    },
    "launcher-variable": {
        "en": "{name} was read as {value}, as in a run with a single process",
        "es": "para {name} se tomó el valor {value}, el de una ejecución con un solo proceso",
        "ja": "{name} は単一プロセスとして {value} とみなしました",
    },
    "library-loop": {
        "en": "the loop inside {loop} was cut to a few batches and one epoch",
        "es": "el bucle dentro de {loop} se acortó a unos pocos lotes y una época",
        "ja": "{loop} 内部のループは数バッチ・1 エポックに短縮しました",
    },
    "lines-left-out": {
        "en": "number of lines of the pasted text that were skipped because they are not code: {count}",
        "es": "número de líneas del texto pegado que se omitieron porque no son código: {count}",
        "ja": "貼り付けられたテキストのうち、コードでない {count} 行をスキップしました",
    },
    "loop-shortened": {
        "en": "the loop on line {line} only runs inference and takes long: the first {count} iterations and the "
        "last one were run, those in between were skipped",
        "es": (
            "el bucle de la línea {line} solo hace inferencia y tarda mucho: se ejecutaron las {count} "
            "primeras iteraciones y la última; las demás se omitieron"
        ),
        "ja": ("{line} 行目のループは推論だけで時間がかかるため、最初の {count} 回と最後の 1 回だけを実行しました"),
    },
    "made-short": {
        "en": "the loop that creates the data is too slow: it ran {new} times instead of {old}",
        "es": "el bucle que crea los datos es demasiado lento: se ejecutó {new} veces en lugar de {old}",
        "ja": "データを作るループは時間がかかりすぎるため、{old} 回ではなく {new} 回実行しました",
    },
    "made-small": {
        "en": "the data are too large: the number {old} that sets their size was replaced by {new}",
        "es": "los datos son demasiado grandes: el número {old}, que fija su tamaño, se sustituyó por {new}",
        "ja": "データが大きすぎるため、そのサイズを決める数 {old} を {new} に置き換えました",
    },
    "module-made": {
        "en": (
            "nothing in the project calls {name}: it was built with made-up sizes and called with inputs of shape "
            "{shape}, only to see whether it runs; its values were not checked"
        ),
        "es": (
            "nada en el proyecto llama a {name}: se construyó con tamaños inventados y se llamó con entradas de "
            "forma {shape}, solo para ver si se ejecuta; sus valores no se comprobaron"
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
        "en": "{name} is not in any installed library: calls to it that do not compute tensors were skipped",
        "es": "ninguna biblioteca instalada tiene {name}: se omitieron las llamadas a {name} que no dan tensores",
        "ja": "{name} はインストール済みのライブラリに無いため、その呼び出しのうちテンソルを計算しないものはスキップ"
        "しました",
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
        "es": "{old} ya no existe; se interpretó como {new}",
        "ja": "{old} はもう存在しないため、{new} とみなしました",
    },
    "once-alone": {
        "en": "before PyTorch 0.4, a single number had one axis; this line was run with that old behavior, so that "
        "the rest could be checked. Today, .item() reads the number and .unsqueeze(0) adds an axis",
        "es": "antes de PyTorch 0.4, un solo número tenía un eje; esta línea se ejecutó con ese comportamiento "
        "antiguo para poder comprobar el resto. Hoy .item() lee el número y .unsqueeze(0) añade un eje",
        "ja": "PyTorch 0.4 より前は 1 つの数にも軸がありました。残りを検査するため、この行は当時の動作で実行しまし"
        "た。現在は .item() で数を読み、.unsqueeze(0) で軸を加えます",
    },
    "once-channels": {
        "en": "old versions of torchvision ignored surplus means in Normalize; this line was run with that old "
        "behavior. Today, Normalize needs one mean per channel, or a single one for all channels",
        "es": "las versiones antiguas de torchvision ignoraban las medias sobrantes de Normalize; esta línea se "
        "ejecutó con ese comportamiento antiguo. Hoy Normalize necesita una media por canal, o una sola para todos",
        "ja": "古い torchvision の Normalize は余分な平均を無視しました。この行は当時の動作で実行しました。現在は、チ"
        "ャネルごとに平均が 1 つか、全チャネル共通の平均が 1 つ必要です",
    },
    "once-quotient": {
        "en": "up to PyTorch 1.5, / between integer tensors gave integers (an error in 1.6, floats since 1.7); this "
        "line was run with that old behavior, so that the rest could be checked. Today, // gives integers",
        "es": "hasta PyTorch 1.5, / entre tensores enteros daba enteros (un error en 1.6, flotantes desde 1.7); esta "
        "línea se ejecutó con ese comportamiento antiguo para poder comprobar el resto. Hoy // da enteros",
        "ja": "PyTorch 1.5 までは整数テンソルどうしの / の結果が整数でした (1.6 ではエラー、1.7 からは浮動小数)。残り"
        "を検査するため、この行は当時の動作で実行しました。現在、整数の結果は // で得られます",
    },
    "once-truth": {
        "en": "before PyTorch 1.2, comparisons gave 0 and 1 (uint8) instead of booleans; this line was run with that "
        "old behavior, so that the rest could be checked. Today, ~mask inverts a mask, .bool() creates one and "
        ".long() turns it into numbers",
        "es": "antes de PyTorch 1.2, las comparaciones daban 0 y 1 (uint8) en vez de booleanos; esta línea se "
        "ejecutó con ese comportamiento antiguo para poder comprobar el resto. Hoy ~mask invierte una máscara, "
        ".bool() la crea y .long() la convierte en números",
        "ja": "PyTorch 1.2 より前は、比較の結果が真偽値ではなく 0 と 1 (uint8) でした。残りを検査するため、この行は当"
        "時の動作で実行しました。現在は ~mask でマスクを反転し、.bool() でマスクに、.long() で数にします",
    },
    "one-rank": {
        "en": "the script was run as rank {rank} of {count} processes; with a single process it does not fail here",
        "es": "el script se ejecutó como el rango {rank} de {count} procesos; con un solo proceso no falla aquí",
        "ja": "スクリプトを {count} プロセスのうちのランク {rank} として実行しました。1 プロセスではここで失敗しません",
    },
    "package-as-library": {
        "en": "the package {package} next to the script has many files: it was run, but not checked",
        "es": "el paquete {package} junto al script tiene muchos archivos: se ejecutó, pero no se comprobó",
        "ja": "スクリプトの隣のパッケージ {package} はファイルが多いため、実行はしましたが検査していません",
    },
    "passed-over": {
        "en": "this line failed with {type} after loops were cut short, which may be the reason, so it was skipped",
        "es": "esta línea falló con {type} tras acortarse los bucles, lo que puede ser la causa, así que se omitió",
        "ja": "ループの打ち切りが原因かもしれない {type} で失敗したため、この行をスキップしました",
    },
    "plot-passed-over": {
        "en": "{name} was skipped: its lists have different lengths because a loop was cut short",
        "es": "se omitió {name}: sus listas tienen longitudes distintas porque se acortó un bucle",
        "ja": "ループの短縮でリストの長さがそろわないため、{name} はスキップしました",
    },
    "probe-skipped": {
        "en": "the limits stopped a test of {module}; it was only partly tested whether samples of a batch affect "
        "each other",
        "es": "los límites detuvieron una prueba de {module}; solo se probó en parte si las muestras de un lote se "
        "afectan entre sí",
        "ja": "{module} の検査が制限により途中で終わりました。バッチ内のサンプルが互いに影響するかどうかは、一部しか"
        "確かめていません",
    },
    "process-in-thread": {
        "en": "{action} ran within one process instead of separate processes",
        "es": "{action} se ejecutó dentro de un solo proceso en lugar de en procesos separados",
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
        "en": "{file} only defines classes and functions, so {script}, which imports it, was run instead",
        "es": "{file} solo define clases y funciones, así que se ejecutó en su lugar {script}, que lo importa",
        "ja": "{file} はクラスと関数を定義するだけなので、代わりに、それをインポートする {script} を実行しました",
    },
    "run-from": {
        "en": "the script was run from {folder}, where the files that it reads are",
        "es": "el script se ejecutó desde {folder}, donde están los archivos que lee",
        "ja": "スクリプトが読むファイルは {folder} にあるため、そこから実行しました",
    },
    "samples-made-up": {
        "en": "{name} cannot read its data here: synthetic samples were used instead, in the shapes that the "
        "script's operations expect",
        "es": "{name} no puede leer aquí sus datos: se usaron muestras sintéticas, con las formas que esperan las "
        "operaciones del script",
        "ja": "{name} はここではデータを読めないため、スクリプトの演算が期待する形状の合成サンプルを代わりに使いました",
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
    "stand-in-alike": {
        "en": "{module} is not installed: {other}, which has the same interface, was used instead",
        "es": "{module} no está instalado: se usó en su lugar {other}, que tiene la misma interfaz",
        "ja": "{module} は未インストールのため、同じインターフェースを持つ {other} を代わりに使いました",
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
        "en": "{file} is not on this machine: synthetic data in the format that the script reads were used instead",
        "es": "{file} no está en esta máquina: se usaron datos sintéticos en el formato que lee el script",
        "ja": "{file} はこのマシンに無いため、スクリプトが読む形式の合成データを代わりに使いました",
    },
    "stand-in-model": {
        "en": "{name} is not on this machine: it was built from its public configuration ({width}) with random weights",
        "es": "{name} no está en esta máquina: se construyó con su configuración pública ({width}) y pesos aleatorios",
        "ja": "{name} はこのマシンに無いため、公開されている設定 ({width}) と乱数の重みで構築しました",
    },
    "stand-in-module": {
        "en": "{module} is not installed: calls to it that do not compute tensors were skipped",
        "es": "{module} no está instalado: se omitieron las llamadas a este módulo que no calculan tensores",
        "ja": "{module} は未インストールのため、その呼び出しのうちテンソルを計算しないものはスキップしました",
    },
    "stand-in-optimizer": {
        "en": "{module} is not installed: torch.optim.Adam was used instead of its {name}",
        "es": "{module} no está instalado: se usó torch.optim.Adam en lugar de su {name}",
        "ja": "{module} は未インストールのため、その {name} の代わりに torch.optim.Adam を使いました",
    },
    "stand-in-spaces": {
        "en": "environment {name} is not installed: a small one with made-up observation and action spaces was used",
        "es": "el entorno {name} no está instalado: se usó otro con espacios de observación y acción sintéticos",
        "ja": "環境 {name} は未インストールのため、観測空間と行動空間を仮定した簡易な環境を使いました",
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
        "en": "{module} is not installed: its results were replaced by plausible synthetic values",
        "es": "{module} no está instalado: sus resultados se sustituyeron por valores sintéticos verosímiles",
        "ja": "{module} は未インストールのため、その結果の代わりに、もっともらしい合成した値を使いました",
    },
    "started-as": {
        "en": "the script was started with the arguments that its project gives for it: {arguments}",
        "es": "el script se inició con los argumentos que su proyecto indica para él: {arguments}",
        "ja": "プロジェクトに書かれている引数 {arguments} でスクリプトを実行しました",
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
        "en": "the script reads a value that cannot be known from shapes alone; {value} was assumed",
        "es": "el script lee un valor que no se puede conocer solo con las formas; se supuso {value}",
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
        "ja": "{path} の変更は一時コピーだけに行い、元のファイルは変更していません",
    },
    "write-refused": {
        "en": "{action} on {path} was refused: it would have changed a file outside the check",
        "es": "se ha denegado {action} sobre {path}: habría modificado un archivo fuera de la comprobación",
        "ja": "{path} への {action} は、検査の外のファイルを変更するため拒否しました",
    },
}
