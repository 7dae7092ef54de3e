"""Policy gradients, clipped objectives and entropies with their signs written in different ways, costs among them."""
import copy
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical, Normal

torch.manual_seed(0)
pi, v, q = nn.Linear(4, 3), nn.Linear(4, 1), nn.Linear(4, 3)
q_target = copy.deepcopy(q)
opt = torch.optim.Adam([*pi.parameters(), *v.parameters()], lr=1e-2)
q_opt = torch.optim.Adam(q.parameters(), lr=1e-2)
for it in range(6):
    obs = torch.randn(32, 4)
    with torch.no_grad():
        dist = Categorical(logits=pi(obs))
        act = dist.sample()
        old = dist.log_prob(act)
        rewards = (act == obs[:, :3].argmax(1)).float()
        advantages = rewards - v(obs).squeeze(1)
    for mode in range(5):
        dist = Categorical(logits=pi(obs))
        log_prob = dist.log_prob(act)
        ratio = (log_prob - old).exp()
        clipped = ratio.clamp(0.8, 1.2)
        if mode == 0:
            loss = torch.max(-advantages * ratio, -advantages * clipped).mean()
        elif mode == 1:
            loss = -(torch.minimum(ratio * advantages, clipped * advantages) + 0.01 * dist.entropy()).mean()
        elif mode == 2:
            objective = torch.min(ratio * advantages, clipped * advantages).mean() + 0.01 * dist.entropy().mean()
            loss = -objective
        elif mode == 3:
            cost = 1 - rewards
            loss = (log_prob * cost).mean() - 0.01 * dist.entropy().mean()
        else:
            losses = [-lp * r for lp, r in zip(log_prob, rewards - rewards.mean())]
            loss = torch.stack(losses).sum() / len(losses)
        values = v(obs).squeeze(1)
        value_loss = torch.max((values - rewards).pow(2), (values.clamp(-1, 1) - rewards).pow(2)).mean()
        opt.zero_grad()
        (loss + 0.5 * value_loss).backward()
        opt.step()
    nxt, done = torch.randn(32, 4), (torch.rand(32) < 0.2).float()
    with torch.no_grad():
        y = rewards + 0.9 * (1 - done) * q_target(nxt).max(dim=1).values
    td = F.smooth_l1_loss(q(obs).gather(1, act[:, None]).squeeze(1), y)
    q_opt.zero_grad()
    td.backward()
    q_opt.step()
    if it % 2:
        q_target.load_state_dict(q.state_dict())
    print(it, loss.item(), td.item())

# soft actor-critic: the temperature times the log-probability is lowered
actor, critic = nn.Linear(4, 2), nn.Linear(5, 1)
a_opt, c_opt = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
log_alpha = torch.zeros(1, requires_grad=True)
t_opt = torch.optim.Adam([log_alpha])
for it in range(3):
    obs = torch.randn(16, 4)
    mean, raw = actor(obs).chunk(2, dim=1)
    dist = Normal(mean, F.softplus(raw) + 1e-2)
    action = dist.rsample()
    log_prob = dist.log_prob(action).sum(1)
    c_loss = F.mse_loss(critic(torch.cat([obs, action.detach()], 1)).squeeze(1), -action.detach().pow(2).squeeze(1))
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    a_loss = (log_alpha.exp().detach() * log_prob - critic(torch.cat([obs, action], 1)).squeeze(1)).mean()
    a_opt.zero_grad()
    a_loss.backward()
    a_opt.step()
    t_loss = -(log_alpha * (log_prob.detach() - 1.0)).mean()
    t_opt.zero_grad()
    t_loss.backward()
    t_opt.step()
    print("sac", it, c_loss.item(), a_loss.item(), t_loss.item())

# confidence: entropy lowered on unlabelled data, on purpose
clf = nn.Linear(4, 3)
s_opt = torch.optim.SGD(clf.parameters(), lr=0.1)
for it in range(3):
    a, b, y = torch.randn(16, 4), torch.randn(16, 4), torch.randint(0, 3, (16,))
    p = clf(b).softmax(1)
    loss = F.cross_entropy(clf(a), y) + 0.1 * Categorical(p).entropy().mean() - 0.1 * (p * p.log()).sum(1).mean()
    s_opt.zero_grad()
    loss.backward()
    s_opt.step()
    print("semi", it, loss.item())
