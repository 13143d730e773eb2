import torch

kinds = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
context = torch.amp.autocast(device_type=device_type, dtype=kinds[dtype])
scaler = torch.cuda.amp.GradScaler(enabled=(dtype == "float16"))
