import torch


class Trainer:
    @property
    def cuda_available(self):
        return torch.cuda.is_available()

    def devices(self, count):
        return [torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu") for _ in range(count)]

    def move(self, x):
        return x.cuda() if self.cuda_available else x
