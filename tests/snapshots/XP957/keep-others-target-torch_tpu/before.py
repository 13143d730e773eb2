import os

os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/x"
os.environ["LIBTPU_INIT_ARGS"] = ""
print("PJRT_DEVICE")
