import torch
from torch import nn

model = nn.Linear(4, 2).to("xla")
state = torch.load("first.pt", map_location="cpu")
for group in state["param_groups"]:
    group["capturable"] = True
first = torch.optim.ASGD(model.parameters(), lr=0.1, capturable=True)
first.load_state_dict(state)

# The other one has the option, too.
second = torch.optim.ASGD(model.parameters(), lr=0.1, capturable=True)
second.load_state_dict(first.state_dict())

# A step of Adam reads nothing, with it or without.
third = torch.optim.Adam(model.parameters(), capturable=True)
third.load_state_dict(torch.load("third.pt", map_location="cpu"))

model.load_state_dict(torch.load("model.pt", map_location="cpu"))


class Rprop:
    def load_state_dict(self, state):
        self.state = state


fourth = Rprop()
fourth.load_state_dict(torch.load("fourth.pt", map_location="cpu"))
