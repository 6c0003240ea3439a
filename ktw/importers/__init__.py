"""Readers of memories that are kept elsewhere: one module a kind of store, listed in `sources`.

Each yields what it found as plain values and says what it could not carry; none writes, none
believes what a store claims of approval, and none opens anything outside the place it was given.
"""
