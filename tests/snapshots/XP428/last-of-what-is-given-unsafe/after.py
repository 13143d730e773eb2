import torch
import torch_xla

device = torch_xla.device()


class Agent(torch.nn.Module):
    def __init__(self, length):
        super().__init__()
        self.length = length
        self.head = torch.nn.Linear(4, 4)

    def act(self, states):
        states = states.reshape(1, -1, 4)
        states = states[:, -min(self.length, states.size(1)):]
        last = states[..., -min(self.length, states.size(-2)):, :]
        last[0, -self.length :] = 0
        print(last[0, -min(self.length, last.size(1)) : -1])
        return self.head(states[:, :, -(min(self.length + 1, states.size(2))) :])


agent = Agent(int(input())).to(device)
print(agent.act(torch.zeros(2, 4, device=device)))
