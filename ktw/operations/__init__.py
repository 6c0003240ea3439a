"""The verbs that surfaces know: each takes a project and plain values, and returns plain values.

No printing, no clock and no environment in here: `now`, `env` and the person are arguments. Import
the room you need: a plain recall must not pay for what writes.
"""
