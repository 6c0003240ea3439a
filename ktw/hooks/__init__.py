"""What a coding agent's hooks are told of memories, at five events of a session.

One process an event. Whatever happens it ends with exit code 0, with valid JSON or with nothing.
"""
