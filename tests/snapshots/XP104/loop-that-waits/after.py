
print("there")
