import torch

options = {"pin_memory": torch.cuda.is_available(), "shuffle": True}
options["pin_memory"] = torch.cuda.is_available()
pin_memory = torch.cuda.is_available()
