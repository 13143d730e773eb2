import torch
from torch import nn
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2").to("cuda")
with torch.no_grad():
    model.generate(torch.zeros(1, 4, dtype=torch.long).to("cuda"))
