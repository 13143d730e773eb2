
dtype = "bfloat16"
