HAS_CUDA = True
print("fast")
print("faster")
