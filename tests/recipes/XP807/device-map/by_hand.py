import torch
import torch_xla

from transformers import AutoModel

model = AutoModel.from_pretrained("gpt2", torch_dtype=torch.bfloat16).to(torch_xla.device())
