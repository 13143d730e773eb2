print("go")
