#!/bin/sh
python -c "import torch; print(torch.cuda.is_available())"
