import torch

device = torch.device("cuda")
model = torch.load("model.pt", map_location=device, weights_only=False)
model.eval()
ema = torch.load("model.pt", map_location="cuda:0", weights_only=False)["ema"].float().eval()
checkpoint = torch.load("model.pt", map_location=lambda storage, loc: storage.cuda(), weights_only=False)
student = checkpoint["student"]
student.train()
first = torch.load("first.pt", map_location=device, weights_only=False)
first.to(device)
first.eval()
