"""Parts of supervise.py."""
