import importlib
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
again = importlib.import_module("torch")
torch.cuda.empty_cache()
subprocess.run([sys.executable, "-c", "import torch; print(torch.cuda.is_available())"])
subprocess.run(["python", "train.py", "torch.py"])
