import os

os.environ["PJRT_DEVICE"] = "TPU"
os.environ["XLA_NO_SPECIAL_SCALARS"] = "1"
os.environ.setdefault("XLA_USE_BF16", "1")
os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/x"
os.environ["LIBTPU_INIT_ARGS"] = ""
os.environ["XLA_IR_DEBUG"] = "1"
if os.environ.get("XLA_IR_DEBUG"):
    print("debug")
names = {"PJRT_DEVICE": "TPU"}
os.environ["XLA_SOMETHING"] = "1"
os.environ["XRT_TPU_CONFIG"] = "localservice"
