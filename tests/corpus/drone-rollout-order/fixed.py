import torch
import torch.nn as nn

torch.manual_seed(0)
T, N = 16, 8


class AC(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, 3), nn.Linear(32, 1)

    def forward(self, o):
        h = self.body(o)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


net = AC()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for update in range(6):
    obs_buf, act_buf, rew_buf, val_buf, logp_buf = [], [], [], [], []
    obs = torch.randn(N, 5)
    with torch.no_grad():
        for _ in range(T):
            dist, v = net(obs)
            a = dist.sample()
            obs_buf.append(obs); act_buf.append(a); val_buf.append(v); logp_buf.append(dist.log_prob(a))
            rew_buf.append((a == obs[:, :3].argmax(1)).float())
            obs = torch.randn(N, 5)
    obs_b, act_b, logp_b = torch.stack(obs_buf), torch.stack(act_buf), torch.stack(logp_buf)
    rewards = torch.stack(rew_buf); adv = rewards - torch.stack(val_buf)
    flat_obs, flat_act, flat_logp = obs_b.reshape(T * N, 5), act_b.reshape(-1), logp_b.reshape(-1)
    flat_adv = adv.reshape(-1)
    for idx in torch.randperm(T * N).split(32):
        dist, v = net(flat_obs[idx])
        ratio = (dist.log_prob(flat_act[idx]) - flat_logp[idx]).exp()
        loss = -torch.min(ratio * flat_adv[idx], ratio.clamp(0.8, 1.2) * flat_adv[idx]).mean() + (v - rewards.reshape(-1)[idx]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("update", update, "loss", round(loss.item(), 5))
