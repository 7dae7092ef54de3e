"""Errors of a GPU that do not say what was wrong: the true message comes from the CPU."""

from ..model import Message

MESSAGES = (
    Message(
        "gpu-assert",
        (r"CUDA error: device-side assert triggered", r"HIP error: device-side assert triggered"),
        (
            "A GPU kernel checks its input, most often that an index lies inside the tensor it reads from.",
            "A value did not pass; the message does not say which one, and the line shown may come after "
            "the faulty call.",
            "A class label is equal to or greater than the number of outputs, or is negative (labels from 1 to C "
            "instead of 0 to C - 1; a pad label without ignore_index).\nA token id or position is equal to or greater "
            "than num_embeddings.\nBCELoss got values outside the range from 0 to 1.",
            "Run one batch on the CPU: there the error usually appears at the faulty call.\nOr set "
            "CUDA_LAUNCH_BLOCKING=1 and read the `Assertion … failed` line above.\nPrint labels.min(), labels.max() "
            "and the model's number of outputs. After this error the process must be restarted.",
        ),
        (
            "Un kernel de la GPU comprueba su entrada, sobre todo que un índice caiga dentro del tensor.",
            "Un valor no la superó; el mensaje no dice cuál, y la línea mostrada puede ser posterior a la "
            "llamada errónea.",
            "Una etiqueta de clase es igual o mayor que el número de salidas, o es negativa (etiquetas de 1 a C en "
            "vez de 0 a C - 1; un relleno sin ignore_index).\nUn id de token o una posición es igual o mayor que "
            "num_embeddings.\nBCELoss recibió valores fuera del intervalo de 0 a 1.",
            "Ejecuta un lote en la CPU: allí el error suele aparecer en la llamada errónea.\nO pon "
            "CUDA_LAUNCH_BLOCKING=1 y lee la línea `Assertion … failed` de arriba.\nImprime labels.min(), "
            "labels.max() y el número de salidas del modelo. Tras este error hay que reiniciar el proceso.",
        ),
        (
            "GPU のカーネルは入力を検査します。多くの場合、添字が対象のテンソルの範囲内にあるかどうかです。",
            "検査に通らない値がありました。どれかはこのメッセージからは分からず、表示された行は原因より後の"
            "こともあります。",
            "クラスラベルが出力数以上か負です (0〜C-1 ではなく 1〜C になっている、パディングのラベルに ignore_index が"
            "ない)。\nトークン ID や位置が num_embeddings 以上です。\nBCELoss に 0〜1 の範囲外の値が渡っています。",
            "1 バッチだけ CPU で実行すると、ふつうは原因の呼び出しでエラーになります。\nまたは CUDA_LAUNCH_BLOCKING=1 "
            "を設定し、上の `Assertion … failed` の行を読みます。\nlabels.min()、labels.max()、モデルの出力数を表示し"
            "ます。このエラーの後はプロセスを起動し直す必要があります。",
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
            "A call to the GPU library for products or convolutions failed.",
            "The status code is {status}; it says nothing about sizes.",
            "The shapes do not match.\nAn index (a label, a token id) was out of range in an earlier call "
            "and left the process broken.\nNo memory is left on the GPU: ALLOC_FAILED and NOT_INITIALIZED "
            "often mean this.",
            "Run one batch on the CPU: there the message of a shape error is more precise.\nIf it works there, try a "
            "smaller batch size.",
        ),
        (
            "Falló una llamada a la biblioteca de la GPU para productos o convoluciones.",
            "El código de estado es {status}; no indica ningún tamaño.",
            "Las formas no encajan.\nEn una llamada anterior un índice (una etiqueta, un id) estaba fuera "
            "de rango y dejó el proceso inservible.\nNo queda memoria en la GPU: ALLOC_FAILED y "
            "NOT_INITIALIZED suelen significar esto.",
            "Ejecuta un lote en la CPU: allí el mensaje de un error de formas es más preciso.\nSi allí funciona, "
            "prueba con un tamaño de lote menor.",
        ),
        (
            "GPU の行列積や畳み込みのライブラリの呼び出しが失敗しました。",
            "ステータスは {status} で、サイズは示されていません。",
            "形状が合っていません。\nそれより前の呼び出しで添字 (ラベルやトークン ID) が範囲外になり、プロ"
            "セスが壊れています。\nGPU のメモリが足りません (ALLOC_FAILED、NOT_INITIALIZED はこの場合が多い)。",
            "1 バッチだけ CPU で実行すると、形状のエラーならより詳しく示されます。\nCPU で通るなら、バッチを小さくし"
            "てみます。",
        ),
    ),
)
