"""Where coding agents keep their settings, and what ktw puts there."""
