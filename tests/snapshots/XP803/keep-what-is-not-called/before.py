import torch

QUESTIONS = {"arch": torch.cuda.get_arch_list, "seed": torch.cuda.set_rng_state}
