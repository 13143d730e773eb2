print("""
    a
    b
    """)
