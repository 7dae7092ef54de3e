import torch
import torch.nn as nn
import torch.nn.functional as F

GAMMA, STEPS, ENVS, BETA = 0.98, 5, 8, 0.01


class ActorCritic(nn.Module):
    def __init__(self, obs_size, n_actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_size, 64), nn.ReLU())
        self.policy = nn.Linear(64, n_actions)
        self.value = nn.Linear(64, 1)

    def forward(self, x):
        h = self.body(x)
        return self.policy(h), self.value(h)


class VecEnv:
    def __init__(self):
        self.state = torch.rand(ENVS, 4) * 2 - 1

    def step(self, action):
        push = torch.where(action == 1, 0.1, -0.1)
        self.state = self.state + 0.05 * torch.randn(ENVS, 4)
        self.state[:, 0] += push
        reward = 1.0 - self.state[:, 0].abs()
        self.state = self.state.clamp(-2, 2)
        return self.state.clone(), reward


def rollout(env, net):
    states, actions, rewards = [], [], []
    for _ in range(STEPS):
        s = env.state.clone()
        with torch.no_grad():
            probs = F.softmax(net(s)[0], dim=1)
        a = torch.multinomial(probs, 1).squeeze(1)
        _, r = env.step(a)
        states.append(s)
        actions.append(a)
        rewards.append(r)
    with torch.no_grad():
        ret = net(env.state)[1].squeeze(-1)
    returns = []
    for r in reversed(rewards):
        ret = r + GAMMA * ret
        returns.insert(0, ret)
    return torch.cat(states), torch.cat(actions), torch.cat(returns)


torch.manual_seed(0)
env, net = VecEnv(), ActorCritic(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-3)
for it in range(60):
    states_v, actions_t, vals_ref_v = rollout(env, net)
    optimizer.zero_grad()
    logits_v, value_v = net(states_v)
    loss_value = F.mse_loss(value_v.squeeze(-1), vals_ref_v)
    log_prob_v = F.log_softmax(logits_v, dim=1)
    adv_v = vals_ref_v - value_v.squeeze(-1).detach()
    log_prob_actions_v = adv_v * log_prob_v[range(len(actions_t)), actions_t]
    loss_policy = -log_prob_actions_v.mean()
    entropy = (F.softmax(logits_v, dim=1) * log_prob_v).sum(dim=1).mean()
    (loss_policy + loss_value + BETA * entropy).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    optimizer.step()
    if it % 20 == 19:
        print(it + 1, "policy", round(loss_policy.item(), 4), "value", round(loss_value.item(), 4))
