import os

os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/x"
os.environ["LIBTPU_INIT_ARGS"] = ""
print("PJRT_DEVICE")
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "tpu:/lib/libtpu.so"
sizes = {"XLA_SOMETHING": 1}
