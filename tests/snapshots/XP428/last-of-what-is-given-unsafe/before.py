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
        states = states[:, -self.length:]
        last = states[..., -self.length:, :]
        last[0, -self.length :] = 0
        print(last[0, -self.length : -1])
        return self.head(states[:, :, -(self.length + 1) :])


agent = Agent(int(input())).to(device)
print(agent.act(torch.zeros(2, 4, device=device)))
