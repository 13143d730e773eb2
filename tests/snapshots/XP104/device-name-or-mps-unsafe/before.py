import torch


class Server:
    def __init__(self):
        self.device = "cuda" if torch.cuda.is_available() else "mps"
