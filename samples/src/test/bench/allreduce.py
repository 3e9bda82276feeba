# SPDX-License-Identifier: Apache-2.0
"""All-reduce of floats over gloo: arguments are rank, world, rendezvous file, then <bytes>:<calls>:<warm-ups> each."""
import sys
import time

import torch
import torch.distributed as distributed

BATCHES = 5


def batch(values, calls):
    start = time.perf_counter()
    for _ in range(calls):
        distributed.all_reduce(values)
    return (time.perf_counter() - start) * 1e6 / calls


def main():
    rank, world, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method="file://" + file, rank=rank, world_size=world)
    for each in sys.argv[4:]:
        size, calls, warm_ups = map(int, each.split(":"))
        # An hour would pass with as many calls as faster libraries make.
        calls = max(1, calls // 20)
        values = torch.zeros(size // 4)
        first = batch(values, calls)
        for _ in range(1, warm_ups):
            batch(values, calls)
        distributed.barrier()
        micros = [batch(values, calls) for _ in range(BATCHES)]
        if rank == 0:
            print(size, "%.2f %.2f %.2f" % (sum(micros) / BATCHES, min(micros), first), flush=True)


main()
