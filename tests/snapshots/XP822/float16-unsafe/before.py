from transformers import Seq2SeqTrainingArguments, TrainingArguments

arguments = TrainingArguments(output_dir="out", fp16=True, optim="adamw_torch", half_precision_backend="apex")
both = Seq2SeqTrainingArguments("out", fp16=True, bf16=False, fp16_full_eval=True, optim="adamw_torch")
