import torch
from transformers import AdamW


def main(device):
    model = torch.nn.Linear(2, 2)
    model.to(device)
    optimizer = AdamW(model.parameters(), lr=1)
    return optimizer
