import torch
from torch import nn

device = torch.device("cuda")
model, critic = nn.Linear(4, 4).to(device), nn.Linear(4, 1).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
other = torch.optim.Adam(critic.parameters(), lr=0.01)


def critic_loss(rows):
    real, fake = critic(rows).mean(), critic(model(rows).detach()).mean()
    return fake - real, dict(real=real.item(), fake=fake.item())


def model_loss(rows):
    loss = -critic(model(rows)).mean()
    return loss, dict(adv=loss.item())


for step in range(100):
    rows = torch.randn(8, 4, device=device)
    loss, critic_losses = critic_loss(rows)
    other.zero_grad()
    loss.backward()
    other.step()
    loss, model_losses = model_loss(rows)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (step + 1) % 10 == 0:
        shown = {}
        for losses, prefix in zip([critic_losses, model_losses], ["D/", "G/"]):
            for key, value in losses.items():
                shown[prefix + key] = value
        print(" ".join("%s: %.4f" % (key, value) for key, value in shown.items()))
