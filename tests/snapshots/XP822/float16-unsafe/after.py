from transformers import Seq2SeqTrainingArguments, TrainingArguments

arguments = TrainingArguments(output_dir="out", bf16=True, optim="adamw_torch")
both = Seq2SeqTrainingArguments("out", bf16=True, bf16_full_eval=True, optim="adamw_torch")
