import numpy as np
import torch
import torch_xla
from torch import nn
import torch.nn.functional as F

DEVICE = torch.device("cuda:0")


def tensor(x):
    return torch.from_numpy(np.asarray(x, dtype=np.float32)).to(DEVICE)


def to_np(t):
    return t.cpu().detach().numpy()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.fc_q = nn.Linear(16, 3)
        self.fc_pi = nn.Linear(16, 3 * 2)
        self.to(DEVICE)

    def forward(self, x):
        phi = torch.tanh(self.body(tensor(x)))
        pi = self.fc_pi(phi).view(-1, 3, 2)
        return {"q": self.fc_q(phi), "log_pi": F.log_softmax(pi, dim=-1), "pi": F.softmax(pi, dim=-1)}


class Agent:
    def __init__(self):
        self.network = Net()
        self.optimizer = torch.optim.RMSprop(self.network.parameters(), 1e-3)
        self.worker_index = tensor(np.arange(5)).long()
        self.states = np.random.rand(5, 4)

    def step(self):
        log_pis, entropies, acts, rewards = [], [], [], []
        for _ in range(8):
            prediction = self.network(self.states)
            options = prediction["q"].argmax(dim=-1)
            prediction["pi"] = prediction["pi"][self.worker_index, options]
            prediction["log_pi"] = prediction["log_pi"][self.worker_index, options]
            dist = torch.distributions.Categorical(probs=prediction["pi"])
            actions = dist.sample()
            entropy = dist.entropy()
            torch_xla.sync()
            moved = to_np(actions)
            self.states = np.random.rand(5, 4) + moved[:, None]
            log_pis.append(prediction["log_pi"])
            entropies.append(entropy)
            acts.append(actions.unsqueeze(-1))
            rewards.append(tensor(moved).unsqueeze(-1))
        log_pi, entropy = torch.cat(log_pis), torch.cat(entropies)
        loss = -(log_pi.gather(1, torch.cat(acts)) * torch.cat(rewards)).mean() - 0.01 * entropy.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent()
for _ in range(20):
    agent.step()
    torch_xla.sync()
