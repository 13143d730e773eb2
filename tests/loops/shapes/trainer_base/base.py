class BaseTrainer:
    def __init__(self, model, optimizer, loader, device):
        self.model = model
        self.optimizer = optimizer
        self.loader = loader
        self.device = device

    def compute_loss(self, batch):
        raise NotImplementedError

    def train(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for i, batch in enumerate(self.loader):
                batch = [t.to(self.device) for t in batch]
                loss = self.compute_loss(batch)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                if i % 3 == 0:
                    self.log(epoch, i, loss.item())

    def log(self, epoch, i, loss):
        print(f"{epoch}.{i} loss={loss:.4f}")
