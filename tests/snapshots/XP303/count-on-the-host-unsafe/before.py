import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 3).to("xla").eval()
correct = total = whole = 0
norm = 0.0
with torch.no_grad():
    for x, y in torch.utils.data.DataLoader([]):
        output = model(x.to("xla"))
        y = y.to("xla")
        total += y.size(0)
        correct += output.argmax(1).eq(y).cpu().sum().item()
        whole += int((output.argmax(1) == y).cpu().sum())
        norm += output.cpu().sum().item()  # of floats, in another order
        torch_xla.sync()
print(correct / total, whole, norm)
