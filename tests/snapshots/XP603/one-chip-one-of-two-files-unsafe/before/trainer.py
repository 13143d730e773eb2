class Trainer:
    def __init__(self, model):
        self.model = model.cuda()

    def train(self, rank):
        if rank == 0:
            self.model(self.batch).mean().backward()
