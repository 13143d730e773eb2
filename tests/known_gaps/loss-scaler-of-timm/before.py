import torch
from timm.utils import NativeScaler
from torch.utils.data import DataLoader, TensorDataset

model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scale_loss = NativeScaler()
for (x,) in DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4):
    loss = model(x.cuda()).mean()
    optimizer.zero_grad()
    scale_loss(loss, optimizer, parameters=model.parameters())
