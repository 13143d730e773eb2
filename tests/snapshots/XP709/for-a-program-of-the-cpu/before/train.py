import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(4, 2)

    def act(self, x):
        return self.base(x)


if __name__ == "__main__":
    policy = Policy().to("cuda")
    print(policy.act(torch.zeros(3, 4, device="cuda")))
    torch.save([policy, None], "policy.pt")
