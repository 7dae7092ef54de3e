"""The help of the commands in Spanish and Japanese, by the English that the commands' own files hold."""

from __future__ import annotations

WORDS = {
    "usage": {"en": "usage", "es": "uso", "ja": "使い方"},
    "arguments": {"en": "arguments", "es": "argumentos", "ja": "引数"},
    "options": {"en": "options", "es": "opciones", "ja": "オプション"},
    "default": {"en": "({value} by default)", "es": "({value} por omisión)", "ja": "(既定は {value})"},
    "help": {"en": "Show this help.", "es": "Muestra esta ayuda.", "ja": "このヘルプを表示します。"},
}

TEXTS: dict[str, tuple[str, str]] = {
    "Write the shapes that were observed into the code: as comments at the ends of lines, or as jaxtyping annotations "
    "on signatures.": (
        "Escribe en el código las formas observadas: como comentarios al final de las líneas o como anotaciones de "
        "jaxtyping en las firmas.",
        "観測した形状をコードに書き込みます。行末のコメントか、シグネチャの jaxtyping 注釈として書きます。",
    ),
    "Prints a patch; the changed script is run before the patch is shown. Arguments after -- go to the script. Exit "
    "codes: 0 done, 1 stale shapes (--check), 2 cannot be run or written.": (
        "Imprime un parche; el script cambiado se ejecuta antes de mostrar el parche. Los argumentos tras -- se "
        "pasan al script. Códigos de salida: 0 hecho, 1 formas obsoletas (--check), 2 no se puede ejecutar o "
        "escribir.",
        "パッチを表示します。変更後のスクリプトは、パッチを表示する前に実行して確かめます。-- の後の引数はスクリプト"
        "に渡されます。終了コード: 0 完了、1 古い形状がある (--check)、2 実行または書き込みができない。",
    ),
    "The scripts.": ("Los scripts.", "スクリプト。"),
    "comments, the default, or jaxtyping.": (
        "comments, el valor por omisión, o jaxtyping.",
        "comments (既定) または jaxtyping。",
    ),
    "Write the files instead of printing a patch.": (
        "Escribe los archivos en lugar de imprimir un parche.",
        "パッチを表示する代わりにファイルへ書き込みます。",
    ),
    "Only list the written shapes that are out of date.": (
        "Solo enumera las formas escritas que están desactualizadas.",
        "書かれた形状のうち古くなったものだけを一覧にします。",
    ),
    "Seconds that one run may take; 60 by default.": (
        "Segundos que puede durar una ejecución; 60 por omisión.",
        "1 回の実行にかけてよい秒数。既定は 60。",
    ),
    "The Python that has the script's libraries, or its virtual environment; by default the active one or ./.venv.": (
        "El Python que tiene las bibliotecas del script, o su entorno virtual; por omisión el activo o ./.venv.",
        "スクリプトのライブラリがある Python、またはその仮想環境。既定は有効な環境か ./.venv。",
    ),
    "Run PyTorch scripts safely and cheaply and say which tensor has the wrong shape, where, and why.": (
        "Ejecuta scripts de PyTorch de forma segura y con poco coste y dice qué tensor tiene la forma equivocada, "
        "dónde y por qué.",
        "PyTorch のスクリプトを安全に短時間だけ実行し、どのテンソルの形状が、どこで、なぜ間違っているかを示します。",
    ),
    "Arguments after -- go to the script. Exit codes: 0 complete and clean, 1 findings, 2 cannot check.": (
        "Los argumentos tras -- se pasan al script. Códigos de salida: 0 completo y sin hallazgos, 1 hallazgos, 2 no "
        "se puede comprobar.",
        "-- の後の引数はスクリプトに渡されます。終了コード: 0 最後まで検査して指摘なし、1 指摘あり、2 検査できない。",
    ),
    "Scripts, notebooks, or folders of scripts.": (
        "Scripts, cuadernos o carpetas de scripts.",
        "スクリプト、ノートブック、またはスクリプトのフォルダ。",
    ),
    "terminal, json, github, gitlab, sarif or html.": (
        "terminal, json, github, gitlab, sarif o html.",
        "terminal、json、github、gitlab、sarif、html のいずれか。",
    ),
    "en, es or ja; by default the locale's.": (
        "en, es o ja; por omisión el del entorno (locale).",
        "en、es、ja のいずれか。既定はロケールの言語。",
    ),
    "live: runs with values; dry: shapes only; auto, the default: live, and dry if the script exceeds the limits.": (
        "live: ejecuta con valores; dry: solo formas; auto, por omisión: live y, si el script excede los límites, dry.",
        "live: 値を使って実行。dry: 形状だけ。auto (既定): live で実行し、スクリプトが制限を超えたら dry。",
    ),
    "Memory that one run may allocate, for example 4G; 8G by default.": (
        "Memoria que puede reservar una ejecución, por ejemplo 4G; 8G por omisión.",
        "1 回の実行が確保してよいメモリ (例: 4G)。既定は 8G。",
    ),
    "Only these rules: codes, beginnings of codes, or slugs, separated by commas.": (
        "Solo estas reglas: códigos, comienzos de códigos o nombres, separados por comas.",
        "これらのルールだけ。コード、コードの先頭部分、または名前をコンマで区切ります。",
    ),
    "Leave out these rules.": ("Omite estas reglas.", "これらのルールを除きます。"),
    "Send what the script prints to standard error.": (
        "Envía lo que imprime el script a la salida de error.",
        "スクリプトの出力を標準エラー出力に流します。",
    ),
    "Also show all advice that is not a fault, opinions included.": (
        "Muestra también todos los consejos que no son fallos, incluidas las opiniones.",
        "誤りではない助言も、好みに関するものを含めてすべて表示します。",
    ),
    "Do not look for repairs (faster).": ("No busca reparaciones (más rápido).", "修正を探しません (速くなります)。"),
    "Also print the script with the shapes that each line makes.": (
        "Imprime también el script con las formas que produce cada línea.",
        "各行が作る形状を添えたスクリプトも表示します。",
    ),
    "A file with known findings; only findings that are not in this file are reported.": (
        "Un archivo con hallazgos conocidos; solo se muestran los que no están en él.",
        "既知の指摘のファイル。そこにない指摘だけを報告します。",
    ),
    "Write all findings to the --baseline file instead of reporting them, and exit with 0.": (
        "Escribe todos los hallazgos en el archivo de --baseline en lugar de mostrarlos, y termina con 0.",
        "すべての指摘を、報告する代わりに --baseline のファイルに書き込み、0 で終了します。",
    ),
    "Leave out files that do not import PyTorch or only define classes and functions.": (
        "Omite los archivos que no importan PyTorch o que solo definen clases y funciones.",
        "PyTorch を import しないファイルと、クラスや関数を定義するだけのファイルを除きます。",
    ),
    "Exit with 0 even if something was found; 2 still means that something could not be checked.": (
        "Termina con 0 aunque haya hallazgos; 2 sigue indicando que algo no se pudo comprobar.",
        "指摘があっても 0 で終了します。2 は引き続き、検査できない部分があったことを表します。",
    ),
    "Number of scripts that are checked at the same time.": (
        "Número de scripts que se comprueban al mismo tiempo.",
        "同時に検査するスクリプトの数。",
    ),
    "Show each line of a script with the shapes that it made when it first ran. The script runs as with check.": (
        "Muestra cada línea de un script con las formas que produjo la primera vez que se ejecutó. El script se "
        "ejecuta como con check.",
        "スクリプトを 1 行ずつ、各行が最初に実行されたときに作った形状とともに示します。"
        "実行のしかたは check と同じです。",
    ),
    "terminal or html.": ("terminal o html.", "terminal または html。"),
    "Explain an einsum equation for the given shapes, and name the operator it equals: shapewright einsum "
    "'ij,jk->ik' 2,3 3,4": (
        "Explica una ecuación de einsum con las formas dadas y nombra el operador equivalente: shapewright einsum "
        "'ij,jk->ik' 2,3 3,4",
        "与えた形状に対する einsum の式を説明し、等価な演算子を示します: shapewright einsum 'ij,jk->ik' 2,3 3,4",
    ),
    "Exit codes: 0 explained, 1 the equation does not fit the shapes.": (
        "Códigos de salida: 0 explicado, 1 la ecuación no encaja con las formas.",
        "終了コード: 0 説明した、1 式が形状に合わない。",
    ),
    "The equation, for example 'bij,bjk->bik'.": (
        "La ecuación, por ejemplo 'bij,bjk->bik'.",
        "式 (例: 'bij,bjk->bik')。",
    ),
    "One per operand: 2,3 or 2x3 or '(2, 3)'; '()' for a single number.": (
        "Una por operando: 2,3 o 2x3 o '(2, 3)'; '()' para un solo número.",
        "オペランドごとに 1 つ。2,3、2x3、'(2, 3)' のいずれか。1 つの数は '()'。",
    ),
    "Explain an error message or a whole traceback: what the call expects, what it got, possible causes, what to "
    "try.": (
        "Explica un mensaje de error o un traceback entero: qué espera la llamada, qué recibió, causas posibles y "
        "qué probar.",
        "エラーメッセージまたはトレースバック全体を説明します。呼び出しが何を期待し、何を受け取ったか、"
        "考えられる原因、試すことを示します。",
    ),
    "Exit codes: 0 explained, 1 the message is unknown, 2 nothing to explain.": (
        "Códigos de salida: 0 explicado, 1 el mensaje no se conoce, 2 no hay nada que explicar.",
        "終了コード: 0 説明した、1 未知のメッセージ、2 説明するものがない。",
    ),
    "The message, or a file that contains it. If absent or -, standard input is read.": (
        "El mensaje, o un archivo que lo contiene. Si falta o es -, se lee la entrada estándar.",
        "メッセージ、またはそれを含むファイル。省略するか - とすると、標準入力を読みます。",
    ),
    "terminal or json.": ("terminal o json.", "terminal または json。"),
    "Repair what check finds. Each edit is verified by running it, also at batch size 1 if a DataLoader makes the "
    "batches.": (
        "Repara lo que encuentra check. Cada edición se verifica al ejecutarla, también con tamaño de lote 1 si los "
        "lotes los hace un DataLoader.",
        "check が見つけたものを直します。どの編集も、実行して確かめます (DataLoader がバッチを作る場合は、バッチサイ"
        "ズ 1 でも実行します)。",
    ),
    "Prints a unified diff. Arguments after -- go to the script. Exit codes: 0 all repaired, 1 something is left, 2 "
    "cannot check or write.": (
        "Imprime un diff unificado. Los argumentos tras -- se pasan al script. Códigos de salida: 0 todo reparado, 1 "
        "queda algo, 2 no se puede comprobar o escribir.",
        "unified diff を表示します。-- の後の引数はスクリプトに渡されます。終了コード: 0 すべて直した、1 残りがある、2 "
        "検査または書き込みができない。",
    ),
    "The script.": ("El script.", "スクリプト。"),
    "Write the repaired files atomically; a file that was changed in the meantime is not overwritten.": (
        "Escribe los archivos reparados de forma atómica; un archivo que cambió entretanto no se sobrescribe.",
        "直したファイルをアトミックに書き込みます。その間に変わったファイルには書き込みません。",
    ),
    "Repair all findings one after the other; without this option, only the first one is repaired.": (
        "Repara todos los hallazgos uno tras otro; sin esta opción, solo se repara el primero.",
        "すべての指摘を順に直します。指定しなければ最初の指摘だけを直します。",
    ),
    "Show the patch and ask before writing.": (
        "Muestra el parche y pregunta antes de escribir.",
        "パッチを表示し、書き込む前に確認します。",
    ),
    "Also write repairs that run but may not be what is intended.": (
        "Escribe también las reparaciones que se ejecutan, pero que quizá no sean lo que se pretendía.",
        "実行はできても意図どおりとは限らない修正も書き込みます。",
    ),
    "Serve an editor: diagnostics, shapes at the ends of lines, hovers and repairs, over standard input and output.": (
        "Sirve a un editor: diagnósticos, formas al final de las líneas, información emergente y reparaciones, por la "
        "entrada y la salida estándar.",
        "エディタに診断、行末の形状、ホバー、修正を標準入出力で提供します。",
    ),
    "The interpreter that runs the scripts; by default the one that runs the server.": (
        "El intérprete que ejecuta los scripts; por omisión el del servidor.",
        "スクリプトを実行するインタプリタ。既定はサーバーと同じもの。",
    ),
    "Serve an agent over the Model Context Protocol: the tools check, fix, walk, explain and rule.": (
        "Sirve a un agente por el Model Context Protocol: las herramientas check, fix, walk, explain y rule.",
        "Model Context Protocol でエージェントに check、fix、walk、explain、rule の各ツールを提供します。",
    ),
    "The server reads only files in the folders that are given, and writes only if `fix` is asked to save.": (
        "El servidor solo lee archivos de las carpetas indicadas y solo escribe si se pide a `fix` que guarde.",
        "サーバーが読むのは指定したフォルダの中のファイルだけです。書き込むのは、`fix` に保存を頼んだときだけです。",
    ),
    "The folders that the server may read; by default the current folder.": (
        "Las carpetas que el servidor puede leer; por omisión la carpeta actual.",
        "サーバーが読んでよいフォルダ。既定は現在のフォルダ。",
    ),
    "List every fault that shapewright knows: SW1xx crash, SW2xx run but are wrong, SW3xx are faults of the training "
    "loop.": (
        "Enumera todos los fallos que conoce shapewright: SW1xx detienen el script, SW2xx se ejecutan pero están mal, "
        "SW3xx son fallos del bucle de entrenamiento.",
        "shapewright が知っている誤りをすべて一覧にします。SW1xx は実行が止まる誤り、SW2xx は動くが間違っている"
        "誤り、SW3xx は学習ループの誤りです。",
    ),
    "Show one rule in full: what it finds, why that is a problem, an example, what to write instead.": (
        "Muestra una regla completa: qué encuentra, por qué es un problema, un ejemplo y qué escribir en su lugar.",
        "ルールを 1 つ詳しく示します。検出するもの、なぜ問題か、例、正しい書き方。",
    ),
    "The rule's code (SW101) or slug.": (
        "El código (SW101) o el nombre de la regla.",
        "ルールのコード (SW101) または名前。",
    ),
    "Do the same as check, and repeat it whenever the script or a project file that it imports is saved.": (
        "Hace lo mismo que check y lo repite cada vez que se guarda el script o un archivo del proyecto que importa.",
        "check と同じ検査を行い、スクリプトや、それが import "
        "するプロジェクト内のファイルが保存されるたびに繰り返します。",
    ),
    "List the training systems that come with shapewright; --json lists all their settings, for programs.": (
        "Enumera los sistemas de entrenamiento incluidos; --json da todos sus ajustes, para programas.",
        "付属の学習システムを一覧にします。--json はプログラム向けにすべての設定を出力します。",
    ),
    "Train one of the systems that shapewright recipes lists. shapewright train RECIPE --help lists its settings.": (
        "Entrena uno de los sistemas que enumera shapewright recipes. shapewright train RECIPE --help muestra sus "
        "ajustes.",
        "shapewright recipes に出るシステムを 1 つ学習します。設定は shapewright train RECIPE --help で見られます。",
    ),
    "The recipe's name.": ("El nombre de la receta.", "レシピの名前。"),
    "Show the output shape and the parameters of every layer; no weights are allocated.": (
        "Muestra la forma de salida y los parámetros de cada capa; no se reservan los pesos.",
        "各層の出力形状とパラメータを示します。重みは確保しません。",
    ),
    "The dotted name of a Python module or a .py file, a colon, and a subclass of nn.Module, a function that returns "
    "a model, or a model.": (
        "El nombre con puntos de un módulo de Python o un archivo .py, dos puntos, y una subclase de nn.Module, una "
        "función que devuelve un modelo o un modelo.",
        "ドット区切りの Python モジュール名または .py ファイル、コロン、nn.Module のサブクラス、モデルを返す関数、ま"
        "たはモデル。",
    ),
    "Arguments of the class's constructor, as Python literals.": (
        "Argumentos del constructor de la clase, como literales de Python.",
        "クラスのコンストラクタの引数 (Python のリテラル)。",
    ),
    "Shape of one input, without the batch axis; repeat for several inputs. 128:long means indices.": (
        "La forma de una entrada sin el eje de lote. Repite la opción para varias entradas. 128:long significa "
        "índices.",
        "バッチ軸を除いた入力の形状。入力が複数なら、このオプションを繰り返します。添字の入力は 128:long と書きます。",
    ),
}

OVERVIEW: dict[str, tuple[str, str, str]] = {
    "check SCRIPT... [-- ARGS]": (
        "run scripts safely, say which tensor has the wrong shape, where and why",
        "ejecuta scripts de forma segura y dice qué tensor tiene la forma equivocada, dónde y por qué",
        "スクリプトを安全に実行し、どのテンソルの形状がどこでなぜ間違っているかを示す",
    ),
    "fix SCRIPT [-- ARGS]": (
        "show an edit that repairs the script, verified by running it; --write applies it",
        "muestra una edición que repara el script, verificada al ejecutarla; --write la aplica",
        "スクリプトを直す編集を、実行して確かめてから示す。--write で適用する",
    ),
    "walk SCRIPT [-- ARGS]": (
        "show each line of a script with the shapes that it makes",
        "muestra cada línea de un script con las formas que produce",
        "スクリプトを 1 行ずつ、作る形状とともに示す",
    ),
    "annotate SCRIPT [-- ARGS]": (
        "write the observed shapes into the code, as comments or jaxtyping annotations",
        "escribe en el código las formas observadas, como comentarios o anotaciones de jaxtyping",
        "観測した形状をコメントまたは jaxtyping 注釈としてコードに書き込む",
    ),
    "watch SCRIPT [-- ARGS]": (
        "check a script, and repeat the check whenever the script or a project file that it imports is saved",
        "comprueba un script y repite la comprobación cada vez que se guarda el script o un archivo del proyecto que "
        "importa",
        "検査し、スクリプトや、それが import するプロジェクト内のファイルが保存されるたびに繰り返す",
    ),
    "explain [TEXT]": (
        "explain an error message or traceback (argument or standard input)",
        "explica un mensaje de error o un traceback (argumento o entrada estándar)",
        "エラーメッセージやトレースバックを説明する (引数または標準入力)",
    ),
    "einsum EQUATION SHAPE...": (
        "explain what an einsum equation does to these shapes, and name the operator it equals",
        "explica qué hace una ecuación de einsum con estas formas y nombra el operador equivalente",
        "einsum の式がこれらの形状に何をするかを説明し、等価な演算子を示す",
    ),
    "rules": (
        "list every fault that shapewright knows",
        "enumera todos los fallos que conoce shapewright",
        "shapewright が知っている誤りを一覧にする",
    ),
    "rule CODE": (
        "show one rule in full: what it finds, why that is a problem, an example, what to write instead",
        "muestra una regla completa: qué encuentra, por qué es un problema, un ejemplo y qué escribir en su lugar",
        "ルールを 1 つ詳しく示す: 検出するもの、なぜ問題か、例、正しい書き方",
    ),
    "recipes": (
        "list the training systems that are ready to run",
        "enumera los sistemas de entrenamiento listos para ejecutar",
        "すぐに実行できる学習システム (レシピ) を一覧にする",
    ),
    "train RECIPE": (
        "train one of these systems",
        "entrena uno de esos sistemas",
        ("学習システムを 1 つ選んで学習させる"),
    ),
    "summary MODULE:CLASS": (
        "show a module's layers, their output shapes and parameters",
        "muestra las capas de un módulo, sus formas de salida y sus parámetros",
        "モジュールの各層の出力形状とパラメータを示す",
    ),
    "lsp": (
        "run the language server for editors",
        "inicia el servidor de lenguaje para editores",
        "エディタ用の言語サーバーを起動する",
    ),
    "mcp [FOLDER...]": (
        "run the server of tools for agents (Model Context Protocol)",
        "inicia el servidor de herramientas para agentes (Model Context Protocol)",
        "エージェント用ツールのサーバーを起動する (Model Context Protocol)",
    ),
}
CODES = (
    "shapewright COMMAND --help lists the options. Exit codes of check: 0 complete and clean, 1 findings, 2 cannot "
    "check.",
    "shapewright COMMAND --help muestra las opciones. Códigos de salida de check: 0 completo y sin hallazgos, 1 "
    "hallazgos, 2 no se puede comprobar.",
    "オプションは shapewright COMMAND --help で見られます。check の終了コード: 0 最後まで検査して指摘なし、"
    "1 指摘あり、2 検査できない。",
)
