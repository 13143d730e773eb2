import torch

student = {"w": torch.zeros(4, 4).cuda().requires_grad_()}
teacher = torch.load("teacher.pt")["params"]
params = {"student." + k: v for k, v in student.items()}
for k, v in teacher.items():
    params["teacher." + k] = v.detach().requires_grad_(False)

others = {k: v.detach() for k, v in torch.load("others.pt").items()}

moved = torch.load("moved.pt")
for k, v in moved.items():
    params["moved." + k] = v.detach().cuda()
print((params["teacher.w"] + params["student.w"]).sum(), others.keys())
