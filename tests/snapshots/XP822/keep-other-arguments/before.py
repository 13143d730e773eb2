from dataclasses import dataclass

import transformers
from mine import TrainingArguments
from transformers import Seq2SeqTrainingArguments

ours = TrainingArguments("out", fp16=True, tf32=True)
arguments = transformers.TrainingArguments(output_dir="out", bf16=True, optim="adamw_torch", tf32=False)
small = Seq2SeqTrainingArguments("out", optim="adafactor", fp16=False, torch_compile=False, gradient_checkpointing=False)
given = {"output_dir": "out"}
spread = Seq2SeqTrainingArguments(**given)


@dataclass
class Arguments(transformers.TrainingArguments):
    fp16: bool = False


class Mine:
    def gradient_checkpointing_enable(self):
        return self


Mine().gradient_checkpointing_enable()
