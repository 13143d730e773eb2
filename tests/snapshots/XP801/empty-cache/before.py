import gc

import torch


def main():
    gc.collect()
    torch.cuda.empty_cache()
