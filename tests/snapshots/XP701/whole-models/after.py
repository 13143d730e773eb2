import torch

device = torch.device("cuda")
model = torch.load("model.pt", map_location="cpu", weights_only=False).to(device)
model.eval()
ema = torch.load("model.pt", map_location="cpu", weights_only=False)["ema"].float().eval().to(device)
checkpoint = torch.load("model.pt", map_location="cpu", weights_only=False)
student = checkpoint["student"].to(device)
student.train()
first = torch.load("first.pt", map_location="cpu", weights_only=False)
first.to(device)
first.eval()
