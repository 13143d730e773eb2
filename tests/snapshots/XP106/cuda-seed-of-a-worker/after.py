import torch


def seed_worker(worker_id):
    torch.manual_seed(worker_id)
