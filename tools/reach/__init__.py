"""The tests that a change can reach: ``python -m tools.reach`` lists them, ``--run`` runs them (``make quick``).

A test is reached by what it imports, at any distance, lazily or at once; by the modules that it starts
(``-m tests.run_recipes``); and by the data that it, or what it imports, reads by name. The rules are loaded by name, so
that this says nothing of them: a rule reaches its cases, its page, its recipes, the tests that name its code, and those
of its family's folder. Nearest come first. Tests that start torch, a browser or pip are left to ``make test``, unless
their own file has changed.
"""
