import torch
import torch.nn as nn


class Agent:
    def __init__(self, device):
        self.device = device
        self.net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2)).to(device)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def forward_backward(self, x, y):
        self.opt.zero_grad()
        self.loss = nn.functional.cross_entropy(self.net(x), y)
        self.loss.backward()

    def update(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()

    def learn(self, x, y):
        self.forward_backward(x.to(self.device), y.to(self.device))
        self.update()


def main():
    torch.manual_seed(17)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    agent = Agent(device)
    data, labels = torch.randn(160, 8), torch.randint(0, 2, (160,))
    for step in range(20):
        part = slice(step % 10 * 16, step % 10 * 16 + 16)
        agent.learn(data[part], labels[part])
        if step % 5 == 4:
            print(f"step {step} loss {agent.loss.item():.4f}")
    return {"model": agent.net, "optimizer": agent.opt}


if __name__ == "__main__":
    main()
