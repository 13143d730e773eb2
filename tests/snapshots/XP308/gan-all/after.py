import torch
import torch.nn as nn
import torch_xla

netG, netD = nn.Linear(2, 2).to(torch_xla.device()), nn.Linear(2, 1).to(torch_xla.device())
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters())
optimizerG = torch.optim.Adam(netG.parameters())
dataloader = torch.utils.data.DataLoader(torch.zeros(64, 2), batch_size=8)
for epoch in range(3):
    for i, data in enumerate(dataloader):
        netD.zero_grad()
        real = data.to(torch_xla.device())
        output = netD(real)
        errD_real = criterion(output, torch.ones_like(output))
        errD_real.backward()
        D_x = output.mean().detach()
        fake = netG(torch.randn(8, 2).to(torch_xla.device()))
        output = netD(fake.detach())
        errD_fake = criterion(output, torch.zeros_like(output))
        errD_fake.backward()
        D_G_z1 = output.mean().detach()
        optimizerD.step()
        netG.zero_grad()
        output = netD(fake)
        errG = criterion(output, torch.ones_like(output))
        errG.backward()
        D_G_z2 = output.mean().detach()
        optimizerG.step()
        torch_xla.sync()
        if i % 50 == 0:
            D_x = D_x.item()
            D_G_z1 = D_G_z1.item()
            D_G_z2 = D_G_z2.item()
            print(f"{epoch} {i}: {errG.item():.4f} D(x): {D_x:.4f} D(G(z)): {D_G_z1:.4f} / {D_G_z2:.4f}")
