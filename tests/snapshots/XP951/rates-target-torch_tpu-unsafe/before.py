import torch
import torch_xla.core.xla_model as xm
import torch_xla.utils.utils as xu


def train(model):
    loader = xu.SampleGenerator(data=torch.zeros(8, 2), sample_count=60000 // 8)
    tracker = xm.RateTracker()
    for x in loader:
        model(x)
        tracker.add(8)
    print(tracker.rate(), tracker.global_rate())


class Slow:
    def __init__(self):
        self.tracker = xm.RateTracker(smooth_factor=0.1)
