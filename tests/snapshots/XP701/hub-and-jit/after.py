import torch

device = torch.device("cuda")
a = torch.hub.load_state_dict_from_url("https://example.org/m.pt", map_location="cpu")
b = torch.jit.load("m.pt", map_location=device)
