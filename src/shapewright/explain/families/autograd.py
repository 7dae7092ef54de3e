"""Backward passes."""

from ..model import Message

MESSAGES = (
    Message(
        "no-parameters",
        (r"optimizer got an empty parameter list",),
        (
            "An optimizer does not take an empty list of parameters.",
            "The list of parameters that the optimizer got is empty.",
            "Layers are in a plain list or dict instead of nn.ModuleList or nn.ModuleDict.\nThe optimizer is "
            "created before the layers, the layers are assigned without self., or super().__init__() is called a "
            "second time after them.\nThe generator model.parameters() was used up by an earlier call.",
            "Print list(model.parameters()); register layers as attributes or in nn.ModuleList.",
        ),
        (
            "Un optimizador no admite una lista de parámetros vacía.",
            "La lista de parámetros que recibió el optimizador está vacía.",
            "Las capas están en una lista o un diccionario corrientes en vez de nn.ModuleList o nn.ModuleDict.\nEl "
            "optimizador se crea antes que las capas, las capas se asignan sin self., o se llama a "
            "super().__init__() por segunda vez después de ellas.\n"
            "El generador model.parameters() ya se consumió en una llamada anterior.",
            "Imprime list(model.parameters()); registra las capas como atributos o en nn.ModuleList.",
        ),
        (
            "オプティマイザに空のパラメータリストは渡せません。",
            "オプティマイザに渡されたパラメータが 1 つもありません。",
            "層が nn.ModuleList や nn.ModuleDict ではなく、普通のリストや辞書に入っています。\n"
            "オプティマイザが層より先に作られているか、層に self. が抜けているか、層を作った後で "
            "super().__init__() がもう一度呼ばれています。\n"
            "ジェネレータ model.parameters() を前の呼び出しで使い切っています。",
            "list(model.parameters()) を表示し、層は属性か nn.ModuleList に登録します。",
        ),
    ),
    Message(
        "deepcopy-graph",
        (r"Only Tensors created explicitly by the user \(graph leaves\) support the deepcopy protocol",),
        (
            "copy.deepcopy does not copy tensors that carry a graph.",
            "Something that is copied was computed from tensors that require grad.",
            "A module keeps a result as an attribute (a hidden state, a loss, a memory), and the module or the "
            "optimizer is copied.",
            "Keep the result detached: self.state = state.detach(); or copy only model.state_dict().",
        ),
        (
            "copy.deepcopy no copia tensores que llevan un grafo.",
            "Algo de lo copiado se calculó a partir de tensores que requieren gradiente.",
            "Un módulo guarda un resultado como atributo (un estado oculto, una pérdida, una memoria) y se copia el "
            "módulo o el optimizador.",
            "Guarda el resultado separado del grafo: self.state = state.detach(); o copia solo model.state_dict().",
        ),
        (
            "copy.deepcopy は、計算グラフを持つテンソルを複製できません。",
            "複製するものの中に、勾配を必要とするテンソルから計算された値があります。",
            "モジュールが計算結果 (隠れ状態、損失、メモリ) を属性に持ったまま、"
            "モジュールやオプティマイザを複製しています。",
            "self.state = state.detach() のように切り離して持つか、model.state_dict() を複製します。",
        ),
    ),
    Message(
        "backward-scalar",
        (r"grad can be implicitly created only for scalar outputs",),
        (
            "Without a gradient argument, backward() needs a real tensor with exactly one element.",
            "The loss has several elements, or none.",
            'reduction="none", or a loss written by hand without .mean(), leaves one value per element; where '
            "(batch, 1) was broadcast against (batch,), one per pair.",
            "Print loss.shape; if that shape is intended, call loss.mean().backward().",
        ),
        (
            "Sin el argumento gradient, backward() necesita un tensor real con un solo elemento.",
            "La pérdida tiene varios elementos, o ninguno.",
            'reduction="none", o una pérdida escrita a mano sin .mean(), deja un valor por elemento; si (lote, 1) '
            "se combinó por broadcasting con (lote,), uno por par.",
            "Imprime loss.shape; si esa forma es la que querías, llama a loss.mean().backward().",
        ),
        (
            "gradient 引数を渡さない backward() には、要素がちょうど 1 つの実数テンソルが必要です。",
            "損失の要素が複数あるか、1 つもありません。",
            'reduction="none"、または .mean() のない自作の損失で、要素ごとの値が残っています ((バッチ, 1) と '
            "(バッチ,) がブロードキャストされたなら、組ごとの値です)。",
            "loss.shape を表示し、意図どおりなら loss.mean().backward() とします。",
        ),
    ),
    Message(
        "backward-no-grad",
        (r"element (?P<which>\d+) of tensors does not require grad and does not have a grad_fn",),
        (
            "backward() follows the graph from the loss to the parameters.",
            "The loss has no graph.",
            "Between the parameters and the loss there is something without a gradient, such as .item(), "
            ".detach(), .numpy(), torch.tensor(loss), argmax or no_grad; or every parameter is frozen.\n"
            "-reward.mean() over sampled text has no graph to the policy: sampling tokens is not "
            "differentiable.",
            "Find the last tensor with grad_fn; do not convert tensors to numbers before backward(). For rewards of "
            "sampled text use a policy gradient (REINFORCE, PPO).",
        ),
        (
            "backward() sigue el grafo de la pérdida a los parámetros.",
            "La pérdida no tiene grafo.",
            "Entre parámetros y pérdida hay algo sin gradiente, como .item(), .detach(), .numpy(), "
            "torch.tensor(loss), argmax o no_grad; o todos los parámetros están congelados.\n"
            "-reward.mean() sobre texto muestreado no tiene grafo hasta la política: muestrear tokens no "
            "es derivable.",
            "Busca el último tensor con grad_fn; no conviertas los tensores en números antes de backward(). Para "
            "recompensas de texto muestreado usa un gradiente de política (REINFORCE, PPO).",
        ),
        (
            "backward() は、損失からパラメータまでグラフをたどります。",
            "損失にグラフがありません。",
            "途中に .item()、.detach()、.numpy()、torch.tensor(loss)、argmax、no_grad など勾配の途切れる箇"
            "所があるか、すべてのパラメータが凍結されています。\n生成した文に対する -reward.mean() から方策"
            "へのグラフはありません。トークンのサンプリングは微分できません。",
            "grad_fn のある最後のテンソルを探し、backward() までテンソルのまま扱います。生成文の報酬には方策勾配 "
            "(REINFORCE、PPO) を使います。",
        ),
    ),
    Message(
        "backward-twice",
        (r"Trying to backward through the graph a second time",),
        (
            "By default, backward() frees the values that the graph has saved.",
            "backward() went through the same graph a second time.",
            "A hidden state is carried from batch to batch without detach(), losses are summed over iterations as "
            "tensors, or two losses share a forward pass.",
            "Use hidden = hidden.detach() between batches and total += loss.item(); add the two losses and call "
            "backward() once.",
        ),
        (
            "Por defecto, backward() libera los valores guardados en el grafo.",
            "backward() recorrió el mismo grafo por segunda vez.",
            "Un estado oculto pasa de lote a lote sin detach(), se suman pérdidas de varias iteraciones como "
            "tensores, o dos pérdidas comparten un mismo forward.",
            "Usa hidden = hidden.detach() entre lotes y total += loss.item(); suma las dos pérdidas y llama a "
            "backward() una vez.",
        ),
        (
            "backward() は既定で、グラフに保存された値を解放します。",
            "同じグラフが 2 回目の backward() でたどられました。",
            "隠れ状態を detach() せずに次のバッチへ渡した、損失をテンソルのまま足し続けた、2 "
            "つの損失が順伝播を共有している、のいずれかです。",
            "バッチ間で hidden = hidden.detach()、集計は total += loss.item()、2 つの損失は足してから backward() を 1 "
            "回呼びます。",
        ),
    ),
    Message(
        "backward-inplace",
        (
            r"one of the variables needed for gradient computation has been modified by an inplace operation: "
            r"\[(?P<type>[\w.]+) (?P<shape>\[[^\]]*\])\](?:, which is output \d+ of (?P<node>\w+))?",
            r"a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        ),
        (
            "A value that backward still needs must stay unchanged; a parameter that requires grad cannot be changed "
            "in place directly while autograd records operations.",
            "Changed in place: {shape}.\nThe value was created by {node}.",
            "An activation was changed by +=, by x[...] = … or by an operation with inplace=True; "
            "optimizer.step() ran between two backward() calls through one graph (as in GANs); or a "
            "parameter was changed by hand.",
            "Write x = x + y instead of x += y; change parameters under torch.no_grad(); in GANs detach the fake "
            "batch for the discriminator, and compute the generator's loss from a new pass through the "
            "discriminator.",
        ),
        (
            "Un valor que backward aún necesita no debe cambiar; un parámetro que requiere gradiente no puede "
            "modificarse in-place directamente mientras autograd registra las operaciones.",
            "Cambió in-place: {shape}.\nEl valor lo creó {node}.",
            "Una activación cambió por +=, por x[...] = … o por una operación con inplace=True; se llamó a "
            "optimizer.step() entre dos backward() del mismo grafo (como en GAN); o un parámetro se "
            "modificó a mano.",
            "Escribe x = x + y en vez de x += y; modifica los parámetros bajo torch.no_grad(); en GAN, aplica "
            "detach al lote falso para el discriminador y calcula la pérdida del generador con un nuevo paso por "
            "el discriminador.",
        ),
        (
            "backward に必要な値は変えてはいけません。autograd が演算を記録している間は、勾配を必要とするパラメータを"
            "直接インプレースで変えられません。",
            "インプレースで変えられたもの: {shape}。\n作ったのは {node} です。",
            "中間層の出力が +=、x[...] = …、inplace=True の演算で書き換えられた、1 つのグラフに対する 2 回の "
            "backward() の間に optimizer.step() が呼ばれた (GAN など)、パラメータが直接書き換えられた、などです。",
            "x += y を x = x + y と書きます。パラメータは torch.no_grad() の中で変えます。GAN では識別器に渡す偽の"
            "バッチを detach し、生成器の損失は識別器にもう一度通して計算します。",
        ),
    ),
    Message(
        "numpy-grad",
        (
            r"Can't call numpy\(\) on Tensor that requires grad",
            r"can't convert (?P<device>cuda|mps)[\w:]* device type tensor to numpy",
        ),
        (
            "While gradients are recorded, NumPy can read only CPU tensors that do not require grad.",
            "The tensor requires grad or is not on the CPU.\nThe tensor is on {device}.",
            "Predictions are read outside torch.no_grad(), or from the GPU.",
            "Use outputs.detach().cpu().numpy(), and run validation and inference under torch.no_grad().",
        ),
        (
            "Mientras se registran gradientes, NumPy solo puede leer tensores de la CPU que no requieran gradiente.",
            "El tensor requiere gradiente o no está en la CPU.\nEl tensor está en {device}.",
            "Las predicciones se leen fuera de torch.no_grad(), o desde la GPU.",
            "Usa outputs.detach().cpu().numpy(), y ejecuta validación e inferencia bajo torch.no_grad().",
        ),
        (
            "勾配を記録している間、NumPy が読めるのは、CPU 上にあり、勾配を必要としないテンソルだけです。",
            "テンソルが勾配を必要としているか、CPU 以外にあります。\nテンソルは {device} にあります。",
            "予測を torch.no_grad() の外で、または GPU のまま読んでいます。",
            "outputs.detach().cpu().numpy() とし、検証と推論は torch.no_grad() の中で行います。",
        ),
    ),
)
