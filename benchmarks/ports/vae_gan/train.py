"""Train a VAE/GAN: an encoder and a decoder that reconstruct images, and a discriminator that judges them.

    python train.py                     # synthetic images, nothing to download
    python train.py --out images        # where the generated images go
"""

import argparse
import os
import random

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset


def make_shapes(count, size, seed):
    """Discs and squares at random places, values between -1 and 1."""
    rng = torch.Generator().manual_seed(seed)
    kind = torch.randint(0, 2, (count,), generator=rng)
    center = size * (0.35 + 0.3 * torch.rand(count, 2, generator=rng))
    radius = size * (0.15 + 0.15 * torch.rand(count, generator=rng))
    y, x = torch.meshgrid(torch.arange(size) + 0.5, torch.arange(size) + 0.5, indexing="ij")
    dy = (y - center[:, 0].view(-1, 1, 1)).abs()
    dx = (x - center[:, 1].view(-1, 1, 1)).abs()
    distance = torch.where(kind.view(-1, 1, 1) == 0, (dx**2 + dy**2).sqrt(), torch.maximum(dx, dy))
    images = torch.tanh(2 * (radius.view(-1, 1, 1) - distance))
    return TensorDataset(images.unsqueeze(1), kind)


# custom weights initialization called on netE, netG and netD
def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.05)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Encoder(nn.Module):
    def __init__(self, nz, nf):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, nf, 4, 2, 1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(nf, 2 * nf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(2 * nf),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Flatten(),
        )
        self.mu = nn.Linear(2 * nf * 4 * 4, nz)
        self.logvar = nn.Linear(2 * nf * 4 * 4, nz)

    def forward(self, x):
        h = self.main(x)
        return self.mu(h), self.logvar(h)


class Generator(nn.Module):
    def __init__(self, nz, nf):
        super().__init__()
        self.main = nn.Sequential(
            # input is Z, state size: (2 * nf) x 4 x 4
            nn.ConvTranspose2d(nz, 2 * nf, 4, 1, 0, bias=False),
            nn.BatchNorm2d(2 * nf),
            nn.ReLU(True),
            # state size: nf x 8 x 8
            nn.ConvTranspose2d(2 * nf, nf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(nf),
            nn.ReLU(True),
            # state size: 1 x 16 x 16
            nn.ConvTranspose2d(nf, 1, 4, 2, 1),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z.view(z.size(0), -1, 1, 1))


class Discriminator(nn.Module):
    def __init__(self, nf):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, nf, 4, 2, 1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(nf, 2 * nf, 4, 2, 1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(2 * nf, 1, 4, 1, 0),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def reparameterize(mu, logvar):
    std = torch.exp(0.5 * logvar)
    # drawn on the CPU: the same numbers on every device
    eps = torch.randn(std.size()).to(mu.device)
    return mu + eps * std


def save_images(images, path, columns=8):
    """Write images between -1 and 1 into one grid, as a PGM file."""
    images = ((images[:, 0] + 1) * 127.5).clamp(0, 255).byte().numpy()
    rows = [np.concatenate(list(images[i : i + columns]), axis=1) for i in range(0, len(images), columns)]
    grid = np.concatenate(rows, axis=0)
    with open(path, "wb") as f:
        f.write(b"P5 %d %d 255\n" % (grid.shape[1], grid.shape[0]))
        f.write(grid.tobytes())


def log(where, *values):
    print(
        "[%d/%d][%d/%d] Loss_D: %.4f Loss_G: %.4f Loss_R: %.4f Loss_KL: %.4f D(x): %.4f D(G(z)): %.4f / %.4f"
        % (*where, *(value.item() for value in values))
    )


def main():
    parser = argparse.ArgumentParser(description="VAE/GAN")
    parser.add_argument("--train-size", type=int, default=1024, help="synthetic images")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--nz", type=int, default=8, help="size of the latent z vector")
    parser.add_argument("--nf", type=int, default=16, help="feature maps of the first layer")
    parser.add_argument("--niter", type=int, default=8, help="epochs")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--beta1", type=float, default=0.5)
    parser.add_argument("--kl-weight", type=float, default=0.02)
    parser.add_argument("--adv-weight", type=float, default=0.02)
    parser.add_argument("--log-interval", type=int, default=8)
    parser.add_argument("--manual-seed", type=int, default=7)
    parser.add_argument("--out", default=None, metavar="DIR", help="write images and weights here")
    opt = parser.parse_args()

    random.seed(opt.manual_seed)
    torch.manual_seed(opt.manual_seed)
    torch_xla.manual_seed(opt.manual_seed)
    device = torch_xla.device()

    dataset = make_shapes(opt.train_size, 16, seed=0)
    dataloader = DataLoader(
        dataset, batch_size=opt.batch_size, shuffle=True, num_workers=opt.workers, drop_last=True
    )
    dataloader = pl.MpDeviceLoader(dataloader, device)

    netE = Encoder(opt.nz, opt.nf)
    netE.apply(weights_init)
    netE.to(device)
    netG = Generator(opt.nz, opt.nf)
    netG.apply(weights_init)
    netG.to(device)
    netD = Discriminator(opt.nf)
    netD.apply(weights_init)
    netD.to(device)

    criterion = nn.BCELoss()
    fixed_noise = torch.randn(64, opt.nz).to(device)
    real_label = 1.0
    fake_label = 0.0

    optimizerE = optim.Adam(netE.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
    optimizerG = optim.Adam(netG.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
    optimizerD = optim.Adam(netD.parameters(), lr=0.5 * opt.lr, betas=(opt.beta1, 0.999))

    if opt.out:
        os.makedirs(opt.out, exist_ok=True)

    G_losses = []
    D_losses = []
    for epoch in range(opt.niter):
        for i, data in enumerate(dataloader, 0):
            real = data[0]
            batch_size = real.size(0)

            ############################
            # (1) Update D network: tell real images from reconstructions and from samples
            ###########################
            mu, logvar = netE(real)
            recon = netG(reparameterize(mu, logvar))
            noise = torch.randn(batch_size, opt.nz).to(device)
            fake = netG(noise)

            netD.zero_grad()
            label = torch.full((batch_size,), real_label, dtype=torch.float, device=device)
            output = netD(real)
            errD_real = criterion(output, label)
            errD_real.backward()
            D_x = output.detach().mean()

            label.fill_(fake_label)
            output = netD(fake.detach())
            errD_fake = criterion(output, label) + criterion(netD(recon.detach()), label)
            errD_fake.backward()
            D_G_z1 = output.detach().mean()
            errD = errD_real + errD_fake
            optimizerD.step()

            ############################
            # (2) Update E and G networks: reconstruct, keep z normal, fool D
            ###########################
            netE.zero_grad()
            netG.zero_grad()
            label.fill_(real_label)  # fake labels are real for generator cost
            output = netD(fake)
            adversarial = criterion(output, label) + criterion(netD(recon), label)
            reconstruction = (recon - real).pow(2).mean()
            kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
            errG = reconstruction + opt.kl_weight * kl + opt.adv_weight * adversarial
            errG.backward()
            D_G_z2 = output.detach().mean()
            optimizerE.step()
            optimizerG.step()

            # save losses for plotting later
            G_losses.append(errG.detach())
            D_losses.append(errD.detach())

            if i % opt.log_interval == 0:
                # runs behind the barrier that the loader sets for the next batch
                where = (epoch, opt.niter, i, len(dataloader))
                xm.add_step_closure(log, args=(where, errD, errG, reconstruction, kl, D_x, D_G_z1, D_G_z2))

        if opt.out:
            netG.eval()
            with torch.no_grad():
                fake = netG(fixed_noise).detach().cpu()
            netG.train()
            save_images(fake, f"{opt.out}/fake_samples_epoch_{epoch:03d}.pgm")

            # do checkpointing
            xm.save(netE.state_dict(), f"{opt.out}/netE.pth")
            xm.save(netG.state_dict(), f"{opt.out}/netG.pth")
            xm.save(netD.state_dict(), f"{opt.out}/netD.pth")

    G_losses = torch.stack(G_losses).cpu().numpy()
    D_losses = torch.stack(D_losses).cpu().numpy()
    print(f"Mean loss of the last epoch: G {np.mean(G_losses[-len(dataloader):]):.4f}")
    print(f"Mean loss of the last epoch: D {np.mean(D_losses[-len(dataloader):]):.4f}")


if __name__ == "__main__":
    main()
