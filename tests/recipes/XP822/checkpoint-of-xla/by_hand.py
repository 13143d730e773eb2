from transformers import AutoModelForCausalLM, TrainingArguments

import torch_xla.utils.checkpoint, transformers.modeling_utils

transformers.modeling_utils.checkpoint = torch_xla.utils.checkpoint.checkpoint
arguments = TrainingArguments("out", bf16=True, optim="paged_adamw_8bit", gradient_checkpointing=True)
sharded = TrainingArguments("out", optim="adamw_torch", deepspeed="ds.json")
full = TrainingArguments("out", fsdp="full_shard", optim="adamw_torch")
options = {"fp16": True, "learning_rate": 1e-4}
model = AutoModelForCausalLM.from_pretrained("gpt2")
model.gradient_checkpointing_enable()
