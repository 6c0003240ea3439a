"""The MCP server: the protocol's lines, nine tools, memories as resources, one prompt.

Serves without the official SDK, whose import alone takes longer than an answer may; the SDK's own
client and models judge this package in its tests.
"""
