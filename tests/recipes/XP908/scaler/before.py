from torch_xla.amp import GradScaler

kind = GradScaler
scaler = kind()
