import torch
from torch import nn

model = nn.MultiheadAttention(8, 2, batch_first=True).cuda().eval()
memory = {"keys": torch.zeros(1, 1, 8, device="cuda"), "last": torch.zeros(1, 1, 8, device="cuda")}
outputs = []


def extend(store, new):
    store["keys"] = torch.cat((store["keys"], new), dim=1)
    store["last"] = torch.cat((new, new), dim=1)


def joined(old, new):
    return torch.cat((old, new), dim=1)


values = torch.zeros(1, 1, 8, device="cuda")
with torch.no_grad():
    token = torch.randn(1, 1, 8, device="cuda")
    for _ in range(16):
        extend(memory, token)
        values = joined(values, token)
        window = joined(token, token)
        token, _ = model(token, memory["keys"], values)
        outputs.append(token + window.sum())
print(torch.cat(outputs, 1).shape)
