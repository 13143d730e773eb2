import torch


class Average:
    def __init__(self, source, target, decay=0.999):
        self.source = source
        self.target = target
        self.decay = decay
        self.source_state = self.source.state_dict()
        self.target_state = self.target.state_dict()
        with torch.no_grad():
            for key in self.source_state:
                self.target_state[key].data.copy_(self.source_state[key].data)
