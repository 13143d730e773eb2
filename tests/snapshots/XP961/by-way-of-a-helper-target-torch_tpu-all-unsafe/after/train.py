import torch
import os
from torch.utils.data import DataLoader, DistributedSampler
from utils import setup


class OwnShare:
    """Moves batches to a device: each process's share of what has as many rows as the batch."""

    def __init__(self, loader, device, dims=None, per_host=False):
        self.loader, self.device, self.dims = loader, device, dims
        prefix = "LOCAL_" if per_host else ""
        self.count = int(os.environ.get(f"{prefix}WORLD_SIZE", "1"))
        self.place = int(os.environ.get(f"{prefix}RANK", "0"))

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in self.loader:
            rows = self.rows(batch)
            if rows is not None and rows % self.count:
                raise ValueError(f"{self.count} processes cannot divide a batch of {rows}: use drop_last")
            yield self.share(batch, rows)

    def rows(self, value):
        """Those of the first tensor with as many dimensions as what is divided."""
        if isinstance(value, torch.Tensor):
            return len(value) if value.ndim == (self.dims or value.ndim or 1) else None
        parts = value if isinstance(value, (list, tuple)) else getattr(value, "__dict__", {}).values()
        parts = dict(value).values() if hasattr(value, "keys") else parts
        return next((rows for part in parts if (rows := self.rows(part)) is not None), None)

    def share(self, value, rows, inner=False):
        import copy

        if isinstance(value, torch.Tensor):
            is_divided = value.ndim > 0 and len(value) == rows
            return (value.chunk(self.count)[self.place] if is_divided else value).to(self.device)
        if isinstance(value, (list, tuple)):
            if inner and len(value) == rows and not any(isinstance(part, torch.Tensor) for part in value):
                size = rows // self.count
                value = value[self.place * size : (self.place + 1) * size]
            parts = [self.share(part, rows, True) for part in value]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        if hasattr(value, "keys"):
            parts, value = dict(value), copy.copy(value)
            for key, part in parts.items():
                value[key] = self.share(part, rows, True)
        elif hasattr(value, "__dict__"):
            parts, value = vars(value), copy.copy(value)
            for name, part in parts.items():
                setattr(value, name, self.share(part, rows, True))
        return value


def main(data):
    setup()
    sampler = DistributedSampler(data, num_replicas=int(os.environ.get("GROUP_WORLD_SIZE", "1")), rank=int(os.environ.get("GROUP_RANK", "0")))
    for x in OwnShare(DataLoader(data, 8, sampler=sampler), torch.accelerator.current_accelerator(), dims=2):
        print(x.sum())


if __name__ == "__main__":
    main(torch.randn(64, 2))
