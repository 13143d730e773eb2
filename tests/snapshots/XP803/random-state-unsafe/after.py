import torch
import torch_xla.core.xla_model as xm


def save(path):
    torch.save({"rng": xm.get_rng_state(), "all": [xm.get_rng_state()]}, path)


def load(path):
    state = torch.load(path, map_location="cpu")
    xm.set_rng_state(state["rng"])
