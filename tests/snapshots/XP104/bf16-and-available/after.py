dtype = "bfloat16"
