import torch
import torch.nn as nn


def main():
    torch.manual_seed(35)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    real_data = torch.randn(256, 8)
    generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8)).to(device)
    critic = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    opt_g = torch.optim.RMSprop(generator.parameters(), lr=5e-4)
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
    n_critic, clip = 3, 0.1
    for iteration in range(10):
        for _ in range(n_critic):
            real = real_data[torch.randint(0, 256, (16,))].to(device)
            z = torch.randn(16, 4).to(device)
            loss_c = critic(generator(z).detach()).mean() - critic(real).mean()
            opt_c.zero_grad()
            loss_c.backward()
            opt_c.step()
            for p in critic.parameters():
                p.data.clamp_(-clip, clip)
        z = torch.randn(16, 4).to(device)
        loss_g = -critic(generator(z)).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        if iteration % 5 == 4:
            print(f"{iteration}: critic {loss_c.item():.4f} generator {loss_g.item():.4f}")
    return {"generator": generator, "critic": critic, "opt_g": opt_g, "opt_c": opt_c}


if __name__ == "__main__":
    main()
