import torch


class Prefetcher:
    def __init__(self, device: torch.device):
        self.is_cuda = device.type == "cuda" and torch.cuda.is_available()

    def stream(self):
        if self.is_cuda:
            return torch.cuda.Stream()
        return None

    def wait(self):
        if self.is_cuda:
            torch.cuda.current_stream().wait_stream(self.stream())
