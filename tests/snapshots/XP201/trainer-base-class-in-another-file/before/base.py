class BaseTrainer:
    def __init__(self, loader, epochs):
        self.loader = loader
        self.epochs = epochs

    def train(self):
        for epoch in range(self.epochs):
            for batch in self.loader:
                self.training_step(batch)

    def training_step(self, batch):
        raise NotImplementedError
