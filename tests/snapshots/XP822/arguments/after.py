from transformers import Trainer, TrainingArguments
from trl import SFTConfig

arguments = TrainingArguments(
    output_dir="out",
    per_device_train_batch_size=8,
    optim="adamw_torch",
)
fused = TrainingArguments("out", optim="adamw_torch")
tuned = SFTConfig(output_dir="out", optim="adamw_torch")
old = TrainingArguments("out", adafactor=True)
