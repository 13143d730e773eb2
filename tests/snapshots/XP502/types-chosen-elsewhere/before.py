import torch

model = torch.nn.Linear(4, 2).cuda()
kinds = {"bfloat16": torch.bfloat16, "float16": torch.float16}
with torch.autocast("cuda", dtype=kinds[args.dtype]):
    y = model(x)
with torch.amp.autocast("cuda", torch.float16 if args.half else torch.bfloat16):
    y = model(x)
with torch.cuda.amp.autocast(  # mixed precision
    enabled=args.amp,  # by flag
):
    y = model(x)
with torch.cuda.amp.autocast(enabled=(use := args.amp)):
    y = model(x)
