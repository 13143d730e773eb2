import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 3).to("xla").eval()
whole = torch.tensor([0], device=torch_xla.device())
correct = torch.tensor([0], device=torch_xla.device())
total = 0
norm = 0.0
with torch.no_grad():
    for x, y in torch.utils.data.DataLoader([]):
        output = model(x.to("xla"))
        y = y.to("xla")
        total += y.size(0)
        correct += output.argmax(1).eq(y).sum()
        whole += (output.argmax(1) == y).sum()
        norm += output.cpu().sum().item()  # of floats, in another order
        torch_xla.sync()
print(correct.item() / total, whole.item(), norm)
