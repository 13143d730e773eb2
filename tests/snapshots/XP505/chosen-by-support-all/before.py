import torch

dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
model = torch.nn.Linear(4, 4).to("cuda", dtype)
