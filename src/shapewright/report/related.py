"""Where the page of a rule leads: rules of one family, and PyTorch's own pages on what the rule speaks of.

A code that is no more is left out; a rule that is in no family has no related rules."""

from __future__ import annotations

SITE = "https://docs.pytorch.org/docs/stable/"

FAMILIES = (
    "SW101 SW104 SW127 SW201 SW223",  # shapes that a loss or an element-wise operation joins
    "SW102 SW103 SW118 SW128",  # widths that a product sums over
    "SW106 SW107 SW140 SW204 SW217 SW253 SW266",  # views and the order of memory
    "SW105 SW129 SW139 SW142 SW145 SW255",  # parts that are joined or split
    "SW108 SW109 SW110 SW133 SW208 SW270",  # which axis a call names
    "SW111 SW112 SW113 SW206 SW271",  # convolutions and windows
    "SW114 SW115 SW225 SW268 SW269 SW307",  # normalization
    "SW116 SW117 SW126 SW237",  # indices
    "SW118 SW119 SW120 SW214 SW250 SW256 SW281 SW283 SW323",  # recurrent layers
    "SW121 SW122 SW123 SW209 SW231 SW251 SW258 SW273",  # attention
    "SW125 SW126 SW144 SW205 SW226 SW235",  # classification losses
    "SW130 SW325 SW336",  # saved states
    "SW131 SW132 SW393",  # data types and devices
    "SW134 SW135 SW136 SW137 SW146 SW302 SW303 SW342",  # the graph of gradients
    "SW138 SW236",  # CTC
    "SW141 SW223 SW224 SW266",  # NumPy arrays
    "SW143 SW199 SW270",  # checks that speak for themselves
    "SW202 SW203 SW209 SW212 SW252",  # softmax and arg-max
    "SW210 SW218 SW264 SW265 SW330 SW395",  # means
    "SW207 SW219 SW220 SW224 SW299",  # samples and their own targets
    "SW213 SW282 SW293 SW294 SW312 SW321 SW353",  # sides and signs of a divergence or a ranking
    "SW216 SW221 SW326 SW341",  # targets that must not carry gradients
    "SW215 SW227 SW241 SW242 SW252 SW262 SW354",  # models that lose the samples
    "SW218 SW232 SW256 SW257 SW258 SW264",  # padding
    "SW230 SW240 SW250 SW254 SW267",  # samples and steps taken for one another
    "SW259 SW260 SW261 SW263 SW298",  # next tokens and leaks
    "SW222 SW280 SW290 SW291 SW292",  # returns and policy losses
    "SW222 SW312 SW383",  # sums and rankings in an order
    "SW290 SW291 SW292 SW293 SW295 SW296 SW372",  # what is lowered though it should be raised
    "SW233 SW208",  # lined up with another axis
    "SW234 SW271 SW267",  # one axis used in two ways
    "SW238 SW239 SW243 SW331",  # data sets
    "SW229 SW247 SW276 SW277",  # scales
    "SW272 SW202 SW265",  # reduced over the samples
    "SW297 SW294",  # noise
    "SW301 SW302 SW304 SW305 SW320 SW328",  # clear, backward, step
    "SW228 SW306 SW307 SW308 SW313 SW331 SW351",  # evaluation
    "SW309 SW323 SW351",  # graphs that stay in memory
    "SW310 SW332 SW338",  # learning-rate schedules
    "SW311 SW327 SW352",  # how a model is called
    "SW322 SW341",  # several networks
    "SW324 SW328 SW396",  # accumulated and clipped gradients
    "SW329 SW337 SW339 SW395",  # what a loop keeps
    "SW147 SW333 SW305 SW340 SW344 SW335",  # which parameters learn
    "SW334 SW325",  # models that should start anew
    "SW343 SW342 SW345",  # terms of a loss
    "SW390 SW391 SW392 SW393 SW394 SW395 SW396",  # remarks
)

PYTORCH = {
    "SW101": "nn.MarginRankingLoss nn.CosineEmbeddingLoss nn.TripletMarginLoss",
    "SW102": "nn.Linear",
    "SW103": "matmul",
    "SW104": "broadcast_tensors notes/broadcasting",
    "SW105": "cat stack",
    "SW106": "reshape flatten",
    "SW107": "Tensor.contiguous Tensor.view",
    "SW108": "Tensor.dim unsqueeze",
    "SW109": "permute",
    "SW110": "Tensor.expand",
    "SW111": "nn.Conv2d nn.Conv1d",
    "SW112": "nn.Conv2d nn.MaxPool2d",
    "SW113": "nn.MaxPool2d nn.AdaptiveAvgPool2d",
    "SW114": "nn.LayerNorm nn.BatchNorm1d",
    "SW115": "nn.BatchNorm1d",
    "SW116": "nn.Embedding index_select",
    "SW117": "gather scatter masked_select",
    "SW118": "nn.LSTM nn.GRU",
    "SW119": "nn.LSTM nn.GRU",
    "SW120": "nn.utils.rnn.pack_padded_sequence",
    "SW121": "nn.MultiheadAttention nn.GroupNorm",
    "SW122": "nn.functional.scaled_dot_product_attention",
    "SW123": "nn.MultiheadAttention",
    "SW125": "nn.CrossEntropyLoss",
    "SW126": "nn.CrossEntropyLoss",
    "SW127": "nn.MSELoss nn.BCEWithLogitsLoss",
    "SW128": "einsum",
    "SW129": "nn.utils.rnn.pad_sequence data",
    "SW130": "nn.Module notes/serialization",
    "SW131": "Tensor.to result_type",
    "SW132": "Tensor.to notes/cuda",
    "SW133": "Tensor.unbind",
    "SW134": "Tensor.item",
    "SW135": "Tensor.detach Tensor.numpy",
    "SW136": "Tensor.backward notes/autograd",
    "SW137": "autograd.Function.backward notes/extending",
    "SW138": "nn.CTCLoss",
    "SW139": "max sort",
    "SW140": "Tensor.copy_ notes/broadcasting",
    "SW141": "from_numpy",
    "SW143": "Tensor.size",
    "SW145": "split nn.functional.pad",
    "SW144": "nn.BCELoss nn.BCEWithLogitsLoss",
    "SW199": "Tensor.size",
    "SW201": "notes/broadcasting nn.MSELoss",
    "SW202": "softmax nn.functional.normalize",
    "SW203": "softmax argmax",
    "SW204": "Tensor.view permute",
    "SW205": "nn.CrossEntropyLoss nn.NLLLoss nn.BCEWithLogitsLoss",
    "SW206": "nn.Conv1d",
    "SW207": "repeat_interleave Tensor.repeat",
    "SW208": "notes/broadcasting unsqueeze",
    "SW209": "nn.functional.scaled_dot_product_attention",
    "SW210": "mean",
    "SW212": "nn.functional.cosine_similarity argmax",
    "SW213": "nn.KLDivLoss",
    "SW214": "nn.LSTM",
    "SW215": "nn.CrossEntropyLoss",
    "SW353": "nn.KLDivLoss",
    "SW354": "nn.CrossEntropyLoss",
    "SW216": "Tensor.detach",
    "SW217": "flatten permute",
    "SW218": "nn.CrossEntropyLoss sum",
    "SW219": "cat flip",
    "SW220": "nn.MSELoss",
    "SW221": "Tensor.detach",
    "SW222": "flip cumsum",
    "SW223": "notes/broadcasting",
    "SW224": "utils.data.TensorDataset",
    "SW225": "nn.BatchNorm1d",
    "SW226": "nn.CrossEntropyLoss",
    "SW227": "nn.Flatten",
    "SW228": "utils.data.random_split",
    "SW230": "Tensor.view",
    "SW231": "nn.MultiheadAttention nn.functional.scaled_dot_product_attention",
    "SW232": "nn.CrossEntropyLoss",
    "SW233": "notes/broadcasting",
    "SW234": "nn.LSTM nn.MultiheadAttention",
    "SW235": "nn.HingeEmbeddingLoss nn.SoftMarginLoss nn.BCELoss",
    "SW236": "nn.CTCLoss",
    "SW237": "utils.data.WeightedRandomSampler",
    "SW238": "utils.data.DataLoader",
    "SW239": "utils.data.Dataset clone",
    "SW240": "nn.LSTM nn.functional.one_hot",
    "SW241": "nn.Parameter",
    "SW242": "nn.Module",
    "SW243": "utils.data.random_split",
    "SW250": "nn.LSTM nn.GRU",
    "SW251": "nn.MultiheadAttention nn.TransformerEncoderLayer",
    "SW252": "softmax",
    "SW253": "Tensor.view permute",
    "SW254": "arange nn.Embedding",
    "SW255": "cat",
    "SW256": "nn.utils.rnn.pack_padded_sequence",
    "SW257": "mean sum",
    "SW258": "nn.MultiheadAttention",
    "SW259": "nn.Transformer",
    "SW260": "nn.CrossEntropyLoss",
    "SW261": "nn.CrossEntropyLoss",
    "SW262": "squeeze",
    "SW263": "nn.Module",
    "SW264": "nn.CrossEntropyLoss",
    "SW265": "mean max",
    "SW266": "permute from_numpy",
    "SW267": "cumsum cat",
    "SW268": "nn.LayerNorm",
    "SW269": "nn.functional.normalize nn.functional.cosine_similarity",
    "SW270": "movedim",
    "SW271": "nn.Conv1d",
    "SW272": "linalg.vector_norm autograd.grad",
    "SW273": "nn.functional.scaled_dot_product_attention",
    "SW280": "where",
    "SW281": "nn.LSTM",
    "SW282": "nn.BCELoss",
    "SW283": "nn.GRU",
    "SW290": "clamp min",
    "SW291": "distributions.distribution.Distribution.log_prob",
    "SW292": "distributions.distribution.Distribution.entropy",
    "SW293": "distributions.kl.kl_divergence",
    "SW294": "exp randn_like",
    "SW295": "distributions.distribution.Distribution.log_prob",
    "SW296": "nn.BCEWithLogitsLoss",
    "SW297": "randn_like",
    "SW298": "clone masked_fill",
    "SW299": "nn.utils.rnn.pack_padded_sequence sort",
    "SW301": "optim.Optimizer.zero_grad",
    "SW302": "optim.Optimizer.step",
    "SW303": "Tensor.detach notes/autograd",
    "SW304": "optim.Optimizer.step",
    "SW305": "optim.Optimizer.add_param_group",
    "SW306": "nn.Module.train",
    "SW307": "nn.Module.eval",
    "SW308": "nn.functional.dropout",
    "SW309": "Tensor.item",
    "SW310": "optim.lr_scheduler.LRScheduler",
    "SW311": "nn.Module.register_forward_hook",
    "SW312": "nn.MarginRankingLoss nn.TripletMarginLoss",
    "SW313": "no_grad",
    "SW320": "Tensor.backward",
    "SW321": "nn.TripletMarginLoss clamp",
    "SW322": "Tensor.detach",
    "SW323": "Tensor.detach",
    "SW324": "nn.utils.clip_grad_norm_",
    "SW325": "nn.Module.state_dict notes/serialization",
    "SW326": "nn.Module.load_state_dict",
    "SW327": "optim.Optimizer.zero_grad",
    "SW328": "optim.Optimizer.zero_grad",
    "SW329": "no_grad",
    "SW330": "mean",
    "SW331": "utils.data.DataLoader",
    "SW332": "optim.lr_scheduler.OneCycleLR optim.lr_scheduler.StepLR",
    "SW333": "nn.Module.requires_grad_",
    "SW334": "nn.Module",
    "SW335": "nn.ModuleList",
    "SW336": "nn.Module.load_state_dict",
    "SW337": "min",
    "SW338": "optim.lr_scheduler.ReduceLROnPlateau",
    "SW339": "utils.data.DataLoader",
    "SW340": "no_grad",
    "SW341": "nn.Module.load_state_dict",
    "SW342": "Tensor.detach",
    "SW343": "Tensor.backward",
    "SW344": "nn.Module",
    "SW345": "nn.MSELoss",
    "SW351": "no_grad inference_mode",
    "SW352": "nn.Module",
    "SW383": "logcumsumexp argsort",
    "SW390": "manual_seed notes/randomness",
    "SW391": "nn.Linear",
    "SW392": "argmax",
    "SW393": "Tensor.to",
    "SW394": "nn.utils.rnn.pad_sequence",
    "SW395": "utils.data.DataLoader",
    "SW396": "Tensor.backward",
}


def related(code: str) -> list[str]:
    """The codes of the rules in the families of `code`, each once, in the families' order."""
    families = [family.split() for family in FAMILIES]
    return list(dict.fromkeys(other for family in families if code in family for other in family if other != code))


def documentation(code: str) -> list[tuple[str, str]]:
    """`(title, address)` of PyTorch's pages on what a rule speaks of; of the first page where none is named."""
    found = []
    for name in PYTORCH.get(code, "").split():
        if name.startswith("notes/") or name == "data":
            title = "torch.utils.data" if name == "data" else f"{name.removeprefix('notes/').capitalize()} (notes)"
            found.append((title, f"{SITE}{name}.html"))
        else:
            found.append((f"torch.{name}", f"{SITE}{_page(name)}"))
    return found or [("torch", f"{SITE}index.html")]


def _page(name: str) -> str:
    """The page of PyTorch's documentation that holds `torch.NAME`."""
    for start, page in (("utils.data.", "data"), ("distributions.", "distributions"), ("nn.Module.", "")):
        if name.startswith(start):
            return f"{page or 'generated/torch.nn.Module'}.html#torch.{name}"
    return f"generated/torch.{name}.html"
