"""Operators that take axes away or order along one: sums, means, extremes, norms, sorts, distances."""

from __future__ import annotations

from .maps import compared, extreme, ranked, reduced
from .table import teach


def _reduce(names: str, signature: str = "input dim=None keepdim=False", tags: str = "", sign: int = 0) -> None:
    teach(names, signature, axes=reduced, dim="reduced", tags=f"reduces {tags}", sign=sign)


_reduce("sum nansum", tags="sums totals", sign=1)
_reduce("mean nanmean", tags="averages totals", sign=1)
_reduce("prod")
_reduce("amax amin", tags="extremes")
_reduce("argmax argmin", tags="extremes points_at chooses_index")
_reduce("std var std_mean var_mean", "input dim=None", tags="spreads")
_reduce("logsumexp", "input dim keepdim=False", tags="soft_extremes competes")
_reduce("any", tags="logical")
_reduce("all", tags="logical unanimous")
_reduce("count_nonzero", "input dim=None", tags="counts")
_reduce("median nanmedian", tags="medians")
_reduce("mode", tags="medians pairs")
_reduce("aminmax", "input dim=None", tags="extremes")
_reduce("kthvalue", "input k dim=-1 keepdim=False", tags="ranks takes_count pairs")
_reduce("quantile nanquantile", "input q dim=None keepdim=False", tags="ranks")
_reduce("norm", "input p=2 dim=None keepdim=False", tags="measures")
_reduce(
    "vector_norm linalg_norm linalg_vector_norm frobenius_norm", "input ord=2 dim=None keepdim=False", tags="measures"
)
teach(
    "max min",
    "input dim=None keepdim=False",
    axes=extreme,
    dim="reduced",
    tags="reduces extremes elementwise pointwise",
)
teach("topk", "input k dim=-1", axes=ranked, dim="ordered", tags="ranks takes_count orders_rows steps pairs")
teach("sort", "input dim=-1 descending=False", axes=ranked, dim="ordered", tags="sorts orders_rows steps pairs")
teach("msort", "input dim=-1 descending=False", axes=ranked, dim="ordered", tags="sorts orders_rows steps")
teach("argsort", "input dim=-1 descending=False", axes=ranked, dim="ordered", tags="sorts orders_rows points_at steps")
teach("cummax cummin", "input dim", axes=ranked, dim="accumulated", tags="accumulates steps pairs")
teach("diff gradient", "input n=1 dim=-1", dim="stepped", tags="steps")
teach(
    "cosine_similarity",
    "input other dim=1",
    axes=compared,
    dim="compared",
    tags="reduces measures_pairs similar may_be_negative",
)
teach("pairwise_distance", "input other p=2", axes=compared, tags="measures_pairs distances")
teach(
    "cdist",
    "input other p=2",
    "**batch rows features, **batch others features -> **batch rows others",
    tags="distances",
)
teach("dist", "input other p=2", "**places, **places ->", tags="distances")
teach("size stride", "input dim=None", tags="reads_shape")
teach("unique bincount histc", "input", tags="makes counts")
