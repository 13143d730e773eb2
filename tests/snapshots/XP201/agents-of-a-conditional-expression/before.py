import torch


class Plain:
    def __init__(self, policy):
        self.policy = policy
        self.optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)

    def learn(self, states):
        self.optimizer.zero_grad()
        self.policy(states).pow(2).mean().backward()
        self.optimizer.step()


class Clipped:
    def __init__(self, policy):
        self.policy = policy
        self.optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)

    def learn(self, states):
        self.optimizer.zero_grad()
        self.policy(states).clamp(max=1.0).mean().backward()
        self.optimizer.step()


def main(clips=False):
    policy = torch.nn.Linear(4, 2).to("cuda")
    agent = Clipped(policy) if clips else Plain(policy)
    for _ in range(20):
        agent.learn(torch.randn(8, 4, device="cuda"))


main()
