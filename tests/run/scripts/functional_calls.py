"""torch.func (per-sample gradients, an ensemble by vmap) and a tensor subclass."""
import torch
import torch.nn as nn
from torch.func import functional_call, grad, stack_module_state, vmap


class Named(torch.Tensor):
    """A tensor that remembers a name through operators."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        result = super().__torch_function__(func, types, args, kwargs or {})
        if isinstance(result, Named):
            result.label = next((a.label for a in args if isinstance(a, Named) and hasattr(a, "label")), "")
        return result


x = torch.randn(8, 5)
y = torch.randint(0, 3, (8,))
model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 3))
parameters = {name: p.detach() for name, p in model.named_parameters()}


def sample_loss(parameters, sample, target):
    logits = functional_call(model, parameters, (sample.unsqueeze(0),))
    return nn.functional.cross_entropy(logits, target.unsqueeze(0))


per_sample = vmap(grad(sample_loss), in_dims=(None, 0, 0))(parameters, x, y)
print({name: tuple(g.shape) for name, g in per_sample.items()})

models = [nn.Linear(5, 3) for _ in range(4)]
stacked, buffers = stack_module_state(models)
print(vmap(lambda p, b: functional_call(models[0], (p, b), (x,)))(stacked, buffers).shape)

named = torch.randn(4, 5).as_subclass(Named)
named.label = "input"
out = model(named)
print(type(out).__name__, out.label, out.shape)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
