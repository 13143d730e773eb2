import os

rank = int(os.environ["RANK"])
size = int(os.environ["WORLD_SIZE"])
first = os.environ["RANK"] == "0"  # xlaport: ignore[XP805]
job = os.environ.get("SLURM_JOB_ID", "none")
node = os.environ["SLURM_PROCID"]
