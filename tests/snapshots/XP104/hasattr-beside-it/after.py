print("fast")
bf16 = True
