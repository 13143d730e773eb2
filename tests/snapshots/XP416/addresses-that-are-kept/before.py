from collections import OrderedDict, namedtuple

import torch

device = torch.device("cuda")
Slot = namedtuple("Slot", ["data", "address"])
slots = OrderedDict()


class Runner:
    def __init__(self, session):
        self.session = session
        self.addresses = {}

    def bind(self, shape):
        out = torch.empty(shape, device=device)
        slots["out"] = Slot(out, int(out.data_ptr()))

    def run(self, x):
        x = torch.as_tensor(x).to(device)
        self.addresses["x"] = int(x.data_ptr())
        self.session.execute(list(self.addresses.values()))

    def start(self, x):
        x = torch.as_tensor(x).to(device)
        address = x.data_ptr()
        self.session.execute([address], 1)


def owners(shape):
    first, second = torch.empty(shape, device=device), torch.empty(shape, device=device)
    known = {first.data_ptr(): "first"}
    at = second.data_ptr()
    if at in known:
        return known[at]
    print(f"a new one at {first.data_ptr():x}")
    known[second.data_ptr(), 1] = "second"
    return first.data_ptr()
