class Trainer:
    def get_num_updates(self):
        """How many."""
        return self._updates

    def advance(self):
        self._updates += 1
        return self._updates

    def step(self):
        if self.advance() == 1:
            pass
