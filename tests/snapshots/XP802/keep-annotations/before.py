from typing import Optional

import torch


class Run:
    scaler: Optional[torch.amp.GradScaler] = None

    def stream(self) -> "torch.cuda.Stream | None":
        return None


def save(model, scaler: torch.amp.GradScaler | None = None, *others: torch.cuda.Event) -> torch.cuda.Stream | None:
    kept: dict[str, torch.cuda.Event] = {}
    state = {"model": model.state_dict()}
    if scaler is not None:
        state["scaler"] = scaler.state_dict()
    torch.save(state, "run.pt")
    return kept or others or None
