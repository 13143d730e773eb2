import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(34)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dataloader = DataLoader(TensorDataset(torch.randn(96, 8)), batch_size=16, shuffle=True)
    netG = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8)).to(device)
    netD = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid()).to(device)
    criterion = nn.BCELoss()
    optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    G_losses, D_losses = [], []
    for epoch in range(4):
        for i, data in enumerate(dataloader, 0):
            netD.zero_grad()
            real = data[0].to(device)
            label = torch.full((real.size(0),), 1.0, device=device)
            errD_real = criterion(netD(real).view(-1), label)
            errD_real.backward()
            noise = torch.randn(real.size(0), 4).to(device)
            fake = netG(noise)
            label.fill_(0.0)
            errD_fake = criterion(netD(fake.detach()).view(-1), label)
            errD_fake.backward()
            errD = errD_real + errD_fake
            optimizerD.step()
            netG.zero_grad()
            label.fill_(1.0)
            errG = criterion(netD(fake).view(-1), label)
            errG.backward()
            optimizerG.step()
            if i % 3 == 0:
                print(f"[{epoch}][{i}] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")
            G_losses.append(errG.item())
            D_losses.append(errD.item())
    print(f"means {sum(G_losses) / len(G_losses):.4f} {sum(D_losses) / len(D_losses):.4f}")
    return {"netG": netG, "netD": netD, "optimizerG": optimizerG, "optimizerD": optimizerD}


if __name__ == "__main__":
    main()
