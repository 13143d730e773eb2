"""Makes a picture."""

import torch
import torch_xla


class Options:
    """What may be chosen."""

    name = 'picture'
    kinds = ['square', 'round']
    where = torch.device('xla')

    def told(self, device=torch.device('xla')):
        """Tells it."""
        return f"{self.name}: {device}" + 'of it'


def make(model, device=torch.device('xla')):
    return model.to(device), {'a': 1, 'b': 2, 'c': 3, 'd': 4}, 'where', 'from'


print(make(torch.nn.Linear(2, 2)), Options().told(), "isn't it")
