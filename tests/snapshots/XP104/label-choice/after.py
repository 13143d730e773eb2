print("cuda")
