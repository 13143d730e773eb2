import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.float16, device_map={"": "cpu"})
weights = dict(model.state_dict())
weights["bias"] = torch.zeros(4, dtype=torch.float16)
save_file(weights, "model.safetensors")
