import torch_xla.utils.checkpoint, transformers.modeling_utils
from transformers import AutoModelForCausalLM, TrainingArguments

transformers.modeling_utils.checkpoint = torch_xla.utils.checkpoint.checkpoint
arguments = TrainingArguments("out", optim="adamw_torch", gradient_checkpointing=True)
model = AutoModelForCausalLM.from_pretrained("gpt2")
model.gradient_checkpointing_enable()
