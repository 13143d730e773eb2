import torch


def save(path):
    torch.save({"rng": torch.cuda.get_rng_state(), "all": torch.cuda.get_rng_state_all()}, path)


def load(path):
    state = torch.load(path, map_location="cpu")
    torch.cuda.set_rng_state(state["rng"])
