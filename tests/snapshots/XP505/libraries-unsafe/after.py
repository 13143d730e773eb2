import torch
from diffusers import StableDiffusionPipeline
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.bfloat16).to("cuda")
other = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype="bfloat16").to("cuda")
kept = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype="auto").to("cuda")
pipe = StableDiffusionPipeline.from_pretrained("sd", variant="fp16", torch_dtype=torch.bfloat16).to("cuda")
image = pipe("a cat").images[0]
logits = model(torch.ones(1, 2, dtype=torch.long, device="cuda")).logits.cpu().float().numpy()
