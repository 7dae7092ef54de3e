"""Backward passes."""

from ..model import Message

MESSAGES = (
    Message(
        "no-parameters",
        (r"optimizer got an empty parameter list",),
        (
            "An optimizer needs at least one parameter.",
            "The optimizer got an empty list of parameters.",
            "Layers are in a plain list or dict instead of nn.ModuleList or nn.ModuleDict.\nThe optimizer is created "
            "before the layers, the layers are assigned without self., or super().__init__() is called again after "
            "the layers were created.\nmodel.parameters() was stored in a variable and an earlier loop used up this "
            "generator.",
            "Print list(model.parameters()); register layers as attributes or in nn.ModuleList.",
        ),
        (
            "Un optimizador necesita al menos un parámetro.",
            "El optimizador recibió una lista de parámetros vacía.",
            "Las capas están en una lista o un diccionario corrientes en vez de nn.ModuleList o nn.ModuleDict.\nEl "
            "optimizador se crea antes que las capas, las capas se asignan sin self., o se vuelve a llamar a "
            "super().__init__() después de crear las capas.\nmodel.parameters() se guardó en una variable y un bucle "
            "anterior ya consumió ese generador.",
            "Imprime list(model.parameters()); registra las capas como atributos o en nn.ModuleList.",
        ),
        (
            "オプティマイザにはパラメータが少なくとも 1 つ必要です。",
            "オプティマイザに渡されたパラメータが 1 つもありません。",
            "層が nn.ModuleList や nn.ModuleDict ではなく、普通のリストや辞書に入っています。\nオプティマイザが層より"
            "先に作られているか、層に self. が抜けているか、層を作った後で super().__init__() がもう一度呼ばれていま"
            "す。\nmodel.parameters() を変数に入れ、そのジェネレータを前のループで使い切っています。",
            "list(model.parameters()) を表示し、層は属性か nn.ModuleList に登録します。",
        ),
    ),
    Message(
        "deepcopy-graph",
        (r"Only Tensors created explicitly by the user \(graph leaves\) support the deepcopy protocol",),
        (
            "copy.deepcopy cannot copy a tensor that was computed from tensors that require grad.",
            "The copied object contains a tensor with a grad_fn.",
            "A module stores a computed tensor in an attribute (a hidden state, a loss, a memory), and the module is "
            "copied.",
            "Store the tensor detached: self.state = state.detach(). Or copy only model.state_dict().",
        ),
        (
            "copy.deepcopy no puede copiar un tensor calculado a partir de tensores que requieren gradiente.",
            "El objeto copiado contiene un tensor con grad_fn.",
            "Un módulo guarda un tensor calculado en un atributo (un estado oculto, una pérdida, una memoria), y se "
            "copia el módulo.",
            "Guarda el tensor separado del grafo: self.state = state.detach(). O copia solo model.state_dict().",
        ),
        (
            "copy.deepcopy は、勾配を必要とするテンソルから計算されたテンソルを複製できません。",
            "複製するオブジェクトに、grad_fn を持つテンソルが含まれています。",
            "計算したテンソル (隠れ状態、損失、メモリ) を属性に持つモジュールを複製しています。",
            "self.state = state.detach() のように、計算グラフから切り離して保存します。または model.state_dict() だけ"
            "を複製します。",
        ),
    ),
    Message(
        "backward-scalar",
        (r"grad can be implicitly created only for scalar outputs",),
        (
            "Without a gradient argument, backward() needs a real tensor with exactly one element.",
            "The loss has several elements, or none.",
            'The loss was computed with reduction="none", or by hand without .mean(), so there is one value per '
            "element (one per pair of samples, if (batch, 1) was broadcast against (batch,)).",
            "Print loss.shape; if the shape is correct, call loss.mean().backward().",
        ),
        (
            "Sin el argumento gradient, backward() necesita un tensor real con un solo elemento.",
            "La pérdida tiene varios elementos, o ninguno.",
            'La pérdida se calculó con reduction="none", o a mano sin .mean(), y hay un valor por elemento (uno por '
            "par de muestras, si (lote, 1) se combinó por broadcasting con (lote,)).",
            "Imprime loss.shape; si la forma es la correcta, llama a loss.mean().backward().",
        ),
        (
            "gradient 引数を渡さない backward() には、要素がちょうど 1 つの実数テンソルが必要です。",
            "損失の要素が複数あるか、1 つもありません。",
            '損失を reduction="none" で、または .mean() なしの自作の式で計算したため、要素ごとに値があります ((バッチ'
            ", 1) と (バッチ,) がブロードキャストされた場合は、サンプルの組ごとに値があります)。",
            "loss.shape を表示し、形状が正しければ loss.mean().backward() とします。",
        ),
    ),
    Message(
        "backward-no-grad",
        (r"element (?P<which>\d+) of tensors does not require grad and does not have a grad_fn",),
        (
            "backward() needs a loss that autograd computed from tensors that require grad.",
            "The loss has no grad_fn: it is not connected to any parameter.",
            "An operation between the parameters and the loss cuts the graph (.item(), .detach(), .numpy(), "
            "torch.tensor(loss), argmax, no_grad), or all parameters are frozen.\nThe loss is -reward.mean() over "
            "sampled text: sampling tokens is not differentiable, so no gradient reaches the policy.",
            "Print .grad_fn of the tensors from the model's output to the loss: the graph is cut where it becomes "
            "None. For rewards of sampled text use a policy gradient (REINFORCE, PPO).",
        ),
        (
            "backward() necesita una pérdida que autograd calculó a partir de tensores que requieren gradiente.",
            "La pérdida no tiene grad_fn: no está conectada a ningún parámetro.",
            "Una operación entre los parámetros y la pérdida corta el grafo (.item(), .detach(), .numpy(), "
            "torch.tensor(loss), argmax, no_grad), o todos los parámetros están congelados.\nLa pérdida es "
            "-reward.mean() sobre texto muestreado: muestrear tokens no es derivable, así que ningún gradiente llega "
            "a la política.",
            "Imprime .grad_fn de los tensores desde la salida del modelo hasta la pérdida: el grafo se corta donde "
            "pasa a ser None. Para recompensas de texto muestreado usa un gradiente de política (REINFORCE, PPO).",
        ),
        (
            "backward() には、勾配を必要とするテンソルから autograd が計算した損失が必要です。",
            "損失に grad_fn がなく、どのパラメータともつながっていません。",
            "パラメータと損失の間の演算 (.item()、.detach()、.numpy()、torch.tensor(loss)、argmax、no_grad) で計算グ"
            "ラフが切れているか、すべてのパラメータが凍結されています。\n損失が、サンプリングした文に対する "
            "-reward.mean() です。トークンのサンプリングは微分できないため、方策に勾配が届きません。",
            "モデルの出力から損失までのテンソルの .grad_fn を順に表示します。None になったところで計算グラフが切れて"
            "います。サンプリングした文の報酬には方策勾配 (REINFORCE、PPO) を使います。",
        ),
    ),
    Message(
        "backward-twice",
        (r"Trying to backward through the graph a second time",),
        (
            "By default, backward() frees the values saved in the graph, so a graph can be used only once.",
            "backward() was called again on a graph, or on a part of a graph, that was already used.",
            "A hidden state is carried from batch to batch without detach(); losses are summed over iterations as "
            "tensors; a tensor is computed from parameters once, before the loop; or two losses share a forward pass.",
            "Detach the hidden state between batches (of an LSTM, both h and c); write total += loss.item(); compute "
            "inside the loop what depends on parameters; add two losses that share a forward pass and call "
            "backward() once.",
        ),
        (
            "Por defecto, backward() libera los valores guardados en el grafo, así que un grafo se puede usar una "
            "sola vez.",
            "Se llamó a backward() sobre un grafo, o una parte de un grafo, que ya se había usado.",
            "Un estado oculto pasa de lote a lote sin detach(); se suman pérdidas de varias iteraciones como "
            "tensores; un tensor se calcula con los parámetros una sola vez, antes del bucle; o dos pérdidas "
            "comparten un mismo forward.",
            "Aplica detach() al estado oculto entre lotes (en una LSTM, a h y a c); escribe total += loss.item(); "
            "calcula dentro del bucle lo que depende de los parámetros; suma las dos pérdidas que comparten un "
            "forward y llama a backward() una vez.",
        ),
        (
            "backward() は既定で、計算グラフに保存された値を解放します。そのため、同じグラフは 1 回しか使えません。",
            "すでに使った計算グラフ (またはその一部) に対して、もう一度 backward() が呼ばれました。",
            "隠れ状態を detach() せずに次のバッチへ渡した、損失をテンソルのまま足し続けた、パラメータを使う計算をルー"
            "プの前で 1 回だけ行った、2 つの損失が順伝播を共有している、のいずれかです。",
            "バッチ間で隠れ状態を detach() します (LSTM では h と c の両方)。集計は total += loss.item() とし、パラメ"
            "ータに依存する計算はループの中で行います。順伝播を共有する 2 つの損失は、足してから backward() を 1 回呼"
            "びます。",
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
            "A value that backward() still needs must not change; and a parameter cannot be changed in place while "
            "autograd records operations.",
            "A tensor of shape {shape} was changed in place.\nThe operation that created its value is {node}.",
            "An activation was changed by +=, by x[...] = … or by an operation with inplace=True; optimizer.step() "
            "ran between two backward() calls through one graph (in a GAN, or with a hidden state that is not "
            "detached); or a parameter was changed by hand.",
            "Write x = x + y instead of x += y; change parameters only after backward() and under torch.no_grad(); "
            "detach the hidden state between batches; in a GAN, detach the fake batch for the discriminator and "
            "compute the generator's loss from a new pass through the discriminator.",
        ),
        (
            "Un valor que backward() aún necesita no debe cambiar; y un parámetro no puede modificarse in-place "
            "mientras autograd registra operaciones.",
            "Se modificó in-place un tensor de forma {shape}.\nLa operación que creó su valor es {node}.",
            "Una activación cambió por +=, por x[...] = … o por una operación con inplace=True; se llamó a "
            "optimizer.step() entre dos backward() del mismo grafo (en una GAN, o con un estado oculto sin detach); "
            "o un parámetro se modificó a mano.",
            "Escribe x = x + y en vez de x += y; modifica los parámetros solo después de backward() y bajo "
            "torch.no_grad(); aplica detach al estado oculto entre lotes; en una GAN, aplica detach al lote falso "
            "para el discriminador y calcula la pérdida del generador con un nuevo forward del discriminador.",
        ),
        (
            "backward() がまだ必要とする値は変えてはいけません。また、autograd が演算を記録している間は、パラメータを"
            "インプレースで変えられません。",
            "形状 {shape} のテンソルがインプレースで変えられました。\nこの値を作った演算は {node} です。",
            "中間層の出力が +=、x[...] = …、inplace=True の演算で書き換えられた、1 つのグラフに対する 2 回の "
            "backward() の間に optimizer.step() が呼ばれた (GAN、detach していない隠れ状態)、パラメータが直接書き換え"
            "られた、などです。",
            "x += y を x = x + y と書きます。パラメータは backward() の後に torch.no_grad() の中で変えます。隠れ状態"
            "はバッチ間で detach します。GAN では識別器に渡す偽のバッチを detach し、生成器の損失は識別器にもう一度通"
            "して計算します。",
        ),
    ),
    Message(
        "numpy-grad",
        (
            r"Can't call numpy\(\) on Tensor that requires grad",
            r"can't convert (?P<device>cuda|mps)[\w:]* device type tensor to numpy",
        ),
        (
            ".numpy() works only on CPU tensors and, outside torch.no_grad(), only on tensors that do not require "
            "grad.",
            "The tensor requires grad or is not on the CPU.\nThe tensor is on {device}.",
            "Predictions are read outside torch.no_grad(), or from the GPU.",
            "Use outputs.detach().cpu().numpy(), and run validation and inference under torch.no_grad().",
        ),
        (
            ".numpy() solo funciona con tensores de la CPU y, fuera de torch.no_grad(), solo si no requieren "
            "gradiente.",
            "El tensor requiere gradiente o no está en la CPU.\nEl tensor está en {device}.",
            "Las predicciones se leen fuera de torch.no_grad(), o desde la GPU.",
            "Usa outputs.detach().cpu().numpy(), y ejecuta validación e inferencia bajo torch.no_grad().",
        ),
        (
            ".numpy() が使えるのは CPU 上のテンソルだけです。torch.no_grad() の外では、勾配を必要としないテンソルに限"
            "られます。",
            "テンソルが勾配を必要としているか、CPU 以外にあります。\nテンソルは {device} にあります。",
            "予測を torch.no_grad() の外で、または GPU のまま読んでいます。",
            "outputs.detach().cpu().numpy() とし、検証と推論は torch.no_grad() の中で行います。",
        ),
    ),
)
