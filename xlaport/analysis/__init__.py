"""One forward abstract interpretation of a program: what each expression may be, and with what certainty.

Ask `of_file`. To read it, begin with `value`, `events`, `scopes`, `definitions`, `library`, `frame`; then what gives
values (`operators`, `tensors`, `methods`, `applying`, `library_calls`, `calls`, `attributes`, `uses`, `expressions`,
`declarations`, `statements`), and what runs it all (`analysis`, `changed`, `of_file`, `order`).
"""
