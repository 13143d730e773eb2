from transformers import Trainer, TrainingArguments
from trl import SFTConfig

arguments = TrainingArguments(
    output_dir="out",
    tf32=True,
    torch_compile=True,
    torch_compile_backend="inductor",
    per_device_train_batch_size=8,
    ddp_backend="nccl",
)
fused = TrainingArguments("out", optim="adamw_torch_fused")
tuned = SFTConfig(output_dir="out")
old = TrainingArguments("out", adafactor=True)
