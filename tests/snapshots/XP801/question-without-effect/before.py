import torch


class Trainer:
    def get_num_updates(self):
        """How many."""
        return self._updates

    def advance(self):
        self._updates += 1
        return self._updates

    def step(self):
        if self.cuda and self.get_num_updates() == 0:
            torch.cuda.empty_cache()
        if self.advance() == 1:
            torch.cuda.empty_cache()
