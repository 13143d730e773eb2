try:
    import torch
    from torch.cuda import Stream
except ImportError:
    torch = None
    Stream = None
try:
    import apex
    from torch.cuda.amp import autocast
except ImportError:

    def autocast(enabled=True):
        return None


torch.cuda.empty_cache()
torch.backends.cudnn.benchmark = True
if torch is not None and torch.cuda.is_available():
    side = Stream()
names = f"{torch.cuda.get_device_name(0)}"
with autocast(enabled=False):
    pass
x = torch.zeros(2)
