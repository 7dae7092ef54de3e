"""Errors of a GPU that do not say what was wrong: the true message comes from the CPU."""

from ..model import Message

MESSAGES = (
    Message(
        "gpu-assert",
        (r"CUDA error: device-side assert triggered", r"HIP error: device-side assert triggered"),
        (
            "GPU kernels check their inputs; most often they check that an index is within the tensor.",
            "A GPU kernel found an invalid value. The message does not say which value, and the line in the "
            "traceback may come after the faulty call.",
            "A class label is equal to or greater than the number of outputs, or is negative (labels from 1 to C "
            "instead of 0 to C - 1; a padding label that is not the ignore_index).\nA token id or position is equal "
            "to or greater than num_embeddings.\nBCELoss got values outside the range from 0 to 1.",
            "Run one batch on the CPU: there the error usually appears at the faulty call.\nOr set "
            "CUDA_LAUNCH_BLOCKING=1 and read the line `Assertion … failed` above the traceback.\nPrint labels.min(), "
            "labels.max() and the number of outputs of the model. After this error, restart the process.",
        ),
        (
            "Los kernels de la GPU comprueban sus entradas, sobre todo que un índice esté dentro del tensor.",
            "Un kernel de la GPU encontró un valor no válido. El mensaje no dice cuál, y la línea del traceback "
            "puede ser posterior a la llamada errónea.",
            "Una etiqueta de clase es igual o mayor que el número de salidas, o es negativa (etiquetas de 1 a C en "
            "vez de 0 a C - 1; una etiqueta de relleno que no es el ignore_index).\nUn id de token o una posición es "
            "igual o mayor que num_embeddings.\nBCELoss recibió valores fuera del intervalo de 0 a 1.",
            "Ejecuta un lote en la CPU: allí el error suele aparecer en la llamada errónea.\nO pon "
            "CUDA_LAUNCH_BLOCKING=1 y lee la línea `Assertion … failed` encima del traceback.\nImprime labels.min(), "
            "labels.max() y el número de salidas del modelo. Tras este error, reinicia el proceso.",
        ),
        (
            "GPU のカーネルは入力を検査します。最も多いのは、添字がテンソルの範囲内にあるかどうかの検査です。",
            "GPU のカーネルが不正な値を見つけました。どの値かはメッセージからは分かりません。トレースバックの行が、原"
            "因の呼び出しより後のこともあります。",
            "クラスラベルが出力数以上か負です (0〜C-1 ではなく 1〜C になっている、パディングのラベルが ignore_index "
            "と違う)。\nトークン ID や位置が num_embeddings 以上です。\nBCELoss に 0〜1 の範囲外の値が渡っています。",
            "1 バッチだけ CPU で実行すると、ふつうは原因の呼び出しでエラーになります。\nまたは "
            "CUDA_LAUNCH_BLOCKING=1 を設定し、トレースバックの上の `Assertion … failed` の行を読みます。\n"
            "labels.min()、labels.max()、モデルの出力数を表示します。このエラーの後は、プロセスを起動し直します。",
        ),
    ),
    Message(
        "gpu-product",
        (
            r"CUDA error: (?P<status>CUBLAS_STATUS_(?:INVALID_VALUE|NOT_SUPPORTED"
            r"|ALLOC_FAILED|NOT_INITIALIZED|EXECUTION_FAILED))"
            r"[^\n]*",
            r"cuDNN error: (?P<status>CUDNN_STATUS_(?:NOT_SUPPORTED|BAD_PARAM|EXECUTION_FAILED|MAPPING_ERROR))[^\n]*",
        ),
        (
            "A call to the GPU library for matrix products (cuBLAS) or convolutions (cuDNN) failed.",
            "The status code is {status}, which says nothing about the sizes.",
            "The shapes do not match.\nIn an earlier call, an index (a label, a token id) was out of range; after "
            "that, every GPU call of the process fails.\nThe GPU has no free memory: ALLOC_FAILED and "
            "NOT_INITIALIZED often mean this.",
            "Run one batch on the CPU, where a shape error has a more precise message.\nIf the batch runs on the CPU "
            "without an error, try a smaller batch size on the GPU.",
        ),
        (
            "Falló una llamada a la biblioteca de la GPU para productos de matrices (cuBLAS) o convoluciones (cuDNN).",
            "El código de estado es {status}; no indica ningún tamaño.",
            "Las formas no encajan.\nEn una llamada anterior, un índice (una etiqueta, un id de token) estaba fuera "
            "de rango; desde entonces fallan todas las llamadas del proceso a la GPU.\nLa GPU no tiene memoria "
            "libre: ALLOC_FAILED y NOT_INITIALIZED suelen significar esto.",
            "Ejecuta un lote en la CPU, donde el mensaje de un error de formas es más preciso.\nSi el lote se "
            "ejecuta en la CPU sin error, prueba con un tamaño de lote menor en la GPU.",
        ),
        (
            "GPU の行列積 (cuBLAS) や畳み込み (cuDNN) のライブラリの呼び出しが失敗しました。",
            "ステータスコードは {status} で、サイズについては何も分かりません。",
            "形状が合っていません。\nこれより前の呼び出しで添字 (ラベルやトークン ID) が範囲外でした。その後は、この"
            "プロセスの GPU の呼び出しがすべて失敗します。\nGPU の空きメモリがありません (ALLOC_FAILED、"
            "NOT_INITIALIZED はこの場合が多いです)。",
            "1 バッチだけ CPU で実行します。形状のエラーなら、CPU ではより詳しいメッセージが出ます。\nCPU でエラーが"
            "出なければ、GPU でバッチサイズを小さくしてみます。",
        ),
    ),
)
