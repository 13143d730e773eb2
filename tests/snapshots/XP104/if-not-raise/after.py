
print("go")
