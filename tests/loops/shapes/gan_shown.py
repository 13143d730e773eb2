import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader


def main():
    torch.manual_seed(61)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    dataloader = DataLoader(torch.randn(64, 6), batch_size=8)
    netG = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 6)).to(device)
    netD = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    criterion = nn.BCEWithLogitsLoss()
    optimizerD = optim.Adam(netD.parameters(), lr=0.01)
    optimizerG = optim.Adam(netG.parameters(), lr=0.01)
    noises = torch.randn(8, 8, 4)
    for epoch in range(3):
        for i, data in enumerate(dataloader, 0):
            netD.zero_grad()
            real = data.to(device)
            label = torch.full((real.size(0), 1), 1.0, device=device)
            output = netD(real)
            errD_real = criterion(output, label)
            errD_real.backward()
            D_x = output.mean().item()
            fake = netG(noises[i].to(device))
            label.fill_(0.0)
            output = netD(fake.detach())
            errD_fake = criterion(output, label)
            errD_fake.backward()
            D_G_z1 = output.mean().item()
            errD = errD_real + errD_fake
            optimizerD.step()
            netG.zero_grad()
            label.fill_(1.0)
            output = netD(fake)
            errG = criterion(output, label)
            errG.backward()
            D_G_z2 = output.mean().item()
            optimizerG.step()
            if i % 4 == 0:
                print(
                    "[%d/3][%d/%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f"
                    % (epoch, i, len(dataloader), errD.item(), errG.item(), D_x, D_G_z1, D_G_z2)
                )
    return {"netG": netG, "netD": netD, "optimizerG": optimizerG, "optimizerD": optimizerD}


if __name__ == "__main__":
    main()
