import torch


def seed_worker(worker_id):
    torch.manual_seed(worker_id)
    torch.cuda.manual_seed_all(worker_id)
