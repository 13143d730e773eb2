"""The option's text picks float32."""
import argparse
import torch
from torch import nn

KINDS = {"fp32": torch.float32}  # never: XP505
parser = argparse.ArgumentParser()
parser.add_argument("--precision", default="fp32", choices=list(KINDS))
args = parser.parse_args([])


class Predictor:
    def __init__(self, options):
        self.kind = KINDS[options.precision]
        self.net = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 2)).cuda().to(self.kind)

    @torch.no_grad()
    def __call__(self, x):
        return self.net(x.cuda().to(self.kind)).float().softmax(-1)  # never: XP505


predict = Predictor(args)
for _ in range(5):
    result = predict(torch.randn(3, 6))
print(result.sum().item())
