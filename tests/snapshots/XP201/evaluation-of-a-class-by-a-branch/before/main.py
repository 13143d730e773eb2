import sys

import torch
from torch.utils.data import DataLoader

from look import look
from nets import create

device = torch.device("cuda")
data = [{"wave": torch.randn(8), "target": i % 3} for i in range(16)]
model = create(sys.argv[1]).to(device).eval()
print(look(model, DataLoader(data, batch_size=4), device))
