"""Notebooks: their code cells are one program, which goes the way of every other file.

    bytes ─► document ─► joined cells ─► engine ─► split ─► text
             document    magics, cells             cells    rewriting

What is not Python in a cell (magics, shell lines, other languages) is hidden in placeholders on the way, and only
the JSON of the `source` of changed cells is written anew.
"""
