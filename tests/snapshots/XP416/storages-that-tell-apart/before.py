import torch
from torch import nn

model = nn.Linear(4, 4).to("cuda")
seen = set()
for weight in model.parameters():
    memory = weight.data.untyped_storage().data_ptr()
    if memory in seen:
        print("shared")
    seen.add(memory)
addresses = {p.detach().data_ptr(): name for name, p in model.named_parameters()}
x = torch.rand(4, device="cuda")
sizes = x.untyped_storage().nbytes(), x.storage().data_ptr()
