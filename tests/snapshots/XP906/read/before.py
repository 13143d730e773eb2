import os

import torch

assert os.environ["COLAB_TPU_ADDR"], "choose a TPU in Runtime, Change runtime type"
os.environ["XRT_TPU_CONFIG"] = f"tpu_worker;0;{os.environ['COLAB_TPU_ADDR']}"
if "XRT_TPU_CONFIG" in os.environ:
    world_size = int(os.environ.get("XRT_SHARD_WORLD_SIZE", os.getenv("WORLD_SIZE", "1")))
subprocess.run(command, env={"XLA_USE_BF16": "1"})
