import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    device = torch.accelerator.current_accelerator()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    data = TensorDataset(torch.randn(48, 8))
    for epoch in range(2):
        for (rows,) in DataLoader(data, batch_size=4, num_workers=2, pin_memory=True, drop_last=True):
            loss = model(rows.to(device, non_blocking=True)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


main()
