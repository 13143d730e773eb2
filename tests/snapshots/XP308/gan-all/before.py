import torch
import torch.nn as nn

netG, netD = nn.Linear(2, 2).cuda(), nn.Linear(2, 1).cuda()
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters())
optimizerG = torch.optim.Adam(netG.parameters())
dataloader = torch.utils.data.DataLoader(torch.zeros(64, 2), batch_size=8)
for epoch in range(3):
    for i, data in enumerate(dataloader):
        netD.zero_grad()
        real = data.cuda()
        output = netD(real)
        errD_real = criterion(output, torch.ones_like(output))
        errD_real.backward()
        D_x = output.mean().item()
        fake = netG(torch.randn(8, 2).cuda())
        output = netD(fake.detach())
        errD_fake = criterion(output, torch.zeros_like(output))
        errD_fake.backward()
        D_G_z1 = output.mean().item()
        optimizerD.step()
        netG.zero_grad()
        output = netD(fake)
        errG = criterion(output, torch.ones_like(output))
        errG.backward()
        D_G_z2 = output.mean().item()
        optimizerG.step()
        if i % 50 == 0:
            print(f"{epoch} {i}: {errG.item():.4f} D(x): {D_x:.4f} D(G(z)): {D_G_z1:.4f} / {D_G_z2:.4f}")
