from common import cuda, wait

wait()
print(cuda.nccl.version())
