# cause: several processes
import torch
import torch.nn as nn
import torch.multiprocessing as mp
from torch.distributions import Categorical


class Walk:
    def reset(self):
        self.at, self.t = 0, 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.at / 10, self.t / 20])

    def step(self, a):
        self.at += 1 if a == 1 else -1
        self.t += 1
        return self.obs(), float(self.at > 0), self.t >= 20


def actor(pipe):
    env = Walk()
    pipe.send(env.reset())
    while True:
        action = pipe.recv()
        if action is None:
            pipe.close()
            break
        obs, reward, done = env.step(action)
        if done:
            obs = env.reset()
        pipe.send((obs, reward, done))


def main(n_env=4, steps=5, updates=6):
    pipes, procs = [], []
    for _ in range(n_env):
        mine, theirs = mp.Pipe()
        p = mp.Process(target=actor, args=(theirs,), daemon=True)
        p.start()
        pipes.append(mine)
        procs.append(p)
    policy = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
    value = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
    opt = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=3e-3)
    obs = torch.stack([pipe.recv() for pipe in pipes])
    for _ in range(updates):
        logps, values, rewards, masks = [], [], [], []
        for _ in range(steps):
            dist = Categorical(logits=policy(obs))
            a = dist.sample()
            for pipe, one in zip(pipes, a.tolist()):
                pipe.send(one)
            got = [pipe.recv() for pipe in pipes]
            values.append(value(obs).squeeze(-1))
            logps.append(dist.log_prob(a))
            obs = torch.stack([g[0] for g in got])
            rewards.append(torch.tensor([g[1] for g in got]))
            masks.append(torch.tensor([1.0 - g[2] for g in got]))
        with torch.no_grad():
            ret = value(obs).squeeze(-1)
        returns = []
        for r, m in zip(reversed(rewards), reversed(masks)):
            ret = r + 0.95 * m * ret
            returns.insert(0, ret)
        returns, values, logps = torch.stack(returns), torch.stack(values), torch.stack(logps)
        adv = returns - values
        loss = -(logps * adv.detach()).mean() + 0.5 * adv.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    for pipe in pipes:
        pipe.send(None)
    for p in procs:
        p.join()


if __name__ == "__main__":
    main()
