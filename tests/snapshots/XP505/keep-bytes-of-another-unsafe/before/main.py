import torch
from stored import weights

model = torch.nn.Linear(4, 4).to("cuda").half()
model.weight.data.copy_(weights(b"0" * 32))
