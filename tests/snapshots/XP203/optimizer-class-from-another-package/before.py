import torch
from transformers import AdamW


def main(device):
    model = torch.nn.Linear(2, 2)
    optimizer = AdamW(model.parameters(), lr=1)
    model.to(device)
    return optimizer
