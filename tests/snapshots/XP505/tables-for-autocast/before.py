import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", default="float16")
args = parser.parse_args()
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[args.dtype]
amp = torch.float16 if args.dtype == "float16" else torch.float32
model = torch.nn.Linear(4, 4).to("cuda")
with torch.amp.autocast(device_type="cuda", dtype=ptdtype):
    print(model(torch.ones(2, 4, device="cuda")))
with torch.autocast("cuda", amp):
    print(model(torch.ones(2, 4, device="cuda")))
