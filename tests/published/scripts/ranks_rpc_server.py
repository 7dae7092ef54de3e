# cause: several processes
import os
import threading

import torch
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp
from torch import nn, optim


class ParameterServer:
    def __init__(self):
        self.lock = threading.Lock()
        self.model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
        self.opt = optim.SGD(self.model.parameters(), lr=0.05)

    def get_weights(self):
        return {k: v.clone() for k, v in self.model.state_dict().items()}

    @staticmethod
    @rpc.functions.async_execution
    def update(ps_rref, grads):
        self = ps_rref.local_value()
        with self.lock:
            for p, g in zip(self.model.parameters(), grads):
                p.grad = g
            self.opt.step()
            self.opt.zero_grad()
            fut = torch.futures.Future()
            fut.set_result(self.get_weights())
            return fut


class Trainer:
    def __init__(self, ps):
        self.ps = ps
        self.model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))

    def train(self, steps):
        self.model.load_state_dict(self.ps.rpc_sync().get_weights())
        for _ in range(steps):
            x = torch.randn(16, 8)
            y = (x[:, 0] > 0).long()
            self.model.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            grads = [p.grad for p in self.model.parameters()]
            fresh = rpc.rpc_sync(self.ps.owner(), ParameterServer.update, args=(self.ps, grads))
            self.model.load_state_dict(fresh)


def run_trainer(ps, steps):
    Trainer(ps).train(steps)


def launch(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "29503"
    options = rpc.TensorPipeRpcBackendOptions(num_worker_threads=8, rpc_timeout=0)
    if rank == 0:
        rpc.init_rpc("ps", rank=rank, world_size=world_size, rpc_backend_options=options)
        ps = rpc.RRef(ParameterServer())
        jobs = [rpc.rpc_async(f"trainer{i}", run_trainer, args=(ps, 20)) for i in range(1, world_size)]
        torch.futures.wait_all(jobs)
    else:
        rpc.init_rpc(f"trainer{rank}", rank=rank, world_size=world_size, rpc_backend_options=options)
    rpc.shutdown()


if __name__ == "__main__":
    mp.spawn(launch, args=(3,), nprocs=3, join=True)
