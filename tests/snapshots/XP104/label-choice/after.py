
print("cuda")
