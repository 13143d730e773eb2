import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 3).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
correct = total = 0
for x, y in torch.utils.data.DataLoader([]):
    output = model(x)
    optimizer.zero_grad()
    nn.functional.cross_entropy(output, y).backward()
    optimizer.step()
    total += y.size(0)
    batch_correct = output.argmax(1).eq(y)
    torch_xla.sync()
    correct += batch_correct.cpu().sum()
    print(correct / total)
