import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
enc = nn.Sequential(nn.Linear(6, 32), nn.ELU(), nn.Linear(32, 12))
dyn = nn.Sequential(nn.Linear(14, 32), nn.ELU(), nn.Linear(32, 12))
rew, val = nn.Linear(12, 1), nn.Linear(12, 1)
params = [p for m in (enc, dyn, rew, val) for p in m.parameters()]
opt = torch.optim.Adam(params, lr=1e-3)
prior, post = nn.Linear(12, 8), nn.Linear(12, 8)
opt.add_param_group({"params": [*prior.parameters(), *post.parameters()]})
for step in range(20):
    obs, act, nxt, r = torch.randn(16, 6), torch.randn(16, 2), torch.randn(16, 6), torch.randn(16)
    z = enc(obs)
    z_next = enc(nxt)
    pred = dyn(torch.cat([z, act], dim=-1))
    consistency = F.mse_loss(pred, z_next)
    pr, po = F.log_softmax(prior(pred), -1), F.log_softmax(post(z_next), -1)
    balance = 0.8 * F.kl_div(pr, po.detach(), reduction="batchmean", log_target=True) + 0.2 * F.kl_div(pr.detach(), po, reduction="batchmean", log_target=True)
    with torch.no_grad():
        goal = r + 0.97 * val(z_next).squeeze(-1)
    v_loss = F.mse_loss(val(z).squeeze(-1), goal)
    r_loss = F.mse_loss(rew(z).squeeze(-1), r)
    loss = consistency + balance + v_loss + r_loss
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step + 1, round(loss.item(), 4))
