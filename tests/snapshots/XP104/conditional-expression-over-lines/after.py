options = (
    {
        "num_workers": 4,
        "shuffle": True,  # always
    }
)
