import torch
from torch import nn

model = nn.Linear(4, 2).cuda().bfloat16()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    optimizer.zero_grad()
    loss = model(x.cuda().bfloat16()).sum()
    loss.backward()
    optimizer.step()
torch.onnx.export(model, torch.zeros(1, 4, device="cuda").bfloat16(), "model.onnx")
