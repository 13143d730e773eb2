
print("yes")
