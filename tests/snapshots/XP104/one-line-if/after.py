
print("yes")
print("really")
