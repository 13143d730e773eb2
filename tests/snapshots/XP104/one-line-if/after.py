print("yes")
print("really")
