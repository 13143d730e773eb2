"""XP104, accelerator-guard: torch.cuda.is_available() is answered with yes."""
