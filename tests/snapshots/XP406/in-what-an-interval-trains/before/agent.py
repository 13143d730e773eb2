import torch


class Agent:
    def __init__(self):
        self.net = torch.nn.Linear(4, 3).to("cuda")
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def act(self, state):
        with torch.no_grad():
            return self.net(state.unsqueeze(0)).argmax(1)

    def learn(self, states):
        with torch.no_grad():
            spread = self.net(states).clamp(0, 2)
            lower, upper = spread.floor().to(torch.int64), spread.ceil().to(torch.int64)
            lower[(upper > 0) * (lower == upper)] -= 1
        loss = (self.net(states) * (upper - lower)).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
