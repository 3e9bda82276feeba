# SPDX-License-Identifier: Apache-2.0
"""Data-parallel training as for torchrun: it knows nothing of elastic-run.

Arguments: steps, file of the checkpoint; milliseconds that a step waits (10); a directory, where each process keeps a file
with a line for each of its steps: nanoseconds of the monotonic clock, size of the world, number of the step.
"""
import hashlib
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

EVERY = 10


def main():
    steps, path = int(sys.argv[1]), sys.argv[2]
    pause = int(sys.argv[3]) / 1000 if len(sys.argv) > 3 else 0.01
    log = open(os.path.join(sys.argv[4], "%d.steps" % os.getpid()), "w") if len(sys.argv) > 4 else None
    torch.set_num_threads(1)
    torch.manual_seed(7)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    step = 0
    if os.path.exists(path):
        saved = torch.load(path)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        step = saved["step"]
    print("rank", rank, "of", dist.get_world_size(), "begins at step", step, flush=True)
    while step < steps:
        batch = torch.Generator().manual_seed(1000 * step + rank)
        inputs = torch.randn(32, 8, generator=batch)
        loss = ((model(inputs) - inputs.sin().sum(1, keepdim=True)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if log:
            print(time.monotonic_ns(), dist.get_world_size(), step, file=log, flush=True)
        if rank == 0 and step % EVERY == 0:
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
            torch.save(state, path + ".new")
            os.replace(path + ".new", path)
            print("checkpoint of step", step, flush=True)
        time.sleep(pause)
    if rank == 0:
        digest = hashlib.sha256()
        for parameter in net.parameters():
            digest.update(parameter.detach().numpy().tobytes())
        print("parameters", digest.hexdigest(), "loss", loss.item(), flush=True)
    dist.destroy_process_group()


main()
