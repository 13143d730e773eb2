import torch
from transformers import AutoModelForCausalLM, HfArgumentParser, TrainingArguments

parser = HfArgumentParser((TrainingArguments,))
other = HfArgumentParser(dict)
arguments = TrainingArguments(
    "out",
    fp16=torch.cuda.is_available(),
    optim="paged_adamw_8bit",
    gradient_checkpointing=True,
)
sharded = TrainingArguments("out", deepspeed="ds.json")
full = TrainingArguments("out", fsdp="full_shard", optim="adamw_torch")
of_xla = TrainingArguments("out", fsdp="full_shard", fsdp_config={"xla": True}, optim="adamw_torch")
options = {"fp16": True, "learning_rate": 1e-4}

model = AutoModelForCausalLM.from_pretrained("gpt2")
model.gradient_checkpointing_enable()
