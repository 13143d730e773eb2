import torch

vocoder = torch.load("vocoder.pt")["model"]
vocoder.cuda().eval().half()
with torch.no_grad():
    audio = vocoder.infer(torch.ones(1, 80, 5).cuda(), sigma=0.6)
    other = vocoder.infer(torch.ones(1, 80, 5).cuda()).float()
print(audio[0].data.cpu().numpy().mean(), other.cpu().numpy())
print(vocoder.state_dict()["scale"].cpu().numpy())
