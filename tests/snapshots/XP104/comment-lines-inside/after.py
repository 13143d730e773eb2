print(1)
# between
print(2)
# at the end
print(3)
