class Config:
    def __init__(self, device):
        self.is_cuda = device == "gpu"

    def run(self):
        return self.is_cuda
