import time

import torch


class Watch:
    def record(self):
        self.at = time.perf_counter()

    def elapsed_time(self, other):
        return other.at - self.at


start, end = Watch(), Watch()
start.record()
print(torch.ones(3, device="cuda"))
end.record()
elapsed = start.elapsed_time(end)
