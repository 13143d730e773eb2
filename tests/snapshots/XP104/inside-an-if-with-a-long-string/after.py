
print("""
    a
    b
    """)
