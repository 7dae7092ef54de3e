"""Operators that make tensors from numbers: every axis of theirs is new. Of a `like_input` they take a dtype and a
device, or a shape, and no values."""

from __future__ import annotations

from .maps import made, square
from .table import teach

teach("zeros empty", "*size", axes=made, tags="makes fills_constant sized shaped")
teach("ones", "*size", axes=made, tags="makes fills_constant fills_ones sized shaped")
teach("full", "size fill_value", axes=made, tags="makes fills_constant fills_given sized")
teach("new_zeros new_empty", "input *size", axes=made, tags="makes fills_constant sized shaped like_input")
teach("new_ones", "input *size", axes=made, tags="makes fills_constant fills_ones sized shaped like_input")
teach("new_full", "input size fill_value", axes=made, tags="makes fills_constant fills_given sized like_input")
teach("rand", "*size", axes=made, tags="makes draws sized shaped")
teach("randn", "*size", axes=made, tags="makes draws draws_normal sized shaped")
teach(  # what it was given learns nothing through it: its derivative is a table of zeros
    "normal", "mean std size=None", axes=made, tags="makes draws draws_normal samples_values sized zero_gradient"
)
teach("randint", "*size", axes=made, tags="makes draws sized")
teach("randperm", "n", axes=made, tags="makes draws permutes")
teach("arange range", "*ends", axes=made, tags="makes counts_up places ranges")
teach("linspace logspace", "start end steps", axes=made, tags="makes counts_up places")
teach("eye", "n m=None", axes=square, tags="makes fills_constant")
teach("tensor as_tensor", "data", axes=made, tags="makes takes_data")
teach("array asarray", "data", axes=made, tags="makes takes_data refuses_graph")
teach("from_numpy frombuffer", "data", axes=made, tags="makes takes_data")
teach("Tensor FloatTensor LongTensor", "*data", axes=made, tags="makes takes_data")
teach("new_tensor", "input data", axes=made, tags="makes takes_data like_input")
teach("new", "input *data", axes=made, tags="makes like_input")
teach("scalar_tensor empty_strided load parameter", "*data", axes=made, tags="makes")
teach("multinomial", "input num_samples replacement=False", axes=made, tags="makes draws samples_values policies")
teach("sample rsample", "input sample_shape", tags="draws samples_values policies")
teach("tril_indices triu_indices hann_window complex cartesian_prod combinations", "*data", axes=made, tags="makes")
