import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(2, 2).to(device)
model.load_state_dict(torch.load("model.pt", map_location=device))
