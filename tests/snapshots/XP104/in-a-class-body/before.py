import torch


class Config:
    gpu = torch.cuda.is_available()
    if torch.cuda.is_available():
        workers = 4
