python -c "import torch; print(torch.cuda.is_available())"
python - <<PY
import torch
x = torch.zeros(3, device=torch.device("cuda"))
PY
# torch.cuda.is_available()
echo "torch.cuda.is_available() is asked"
watch nvidia-smi
