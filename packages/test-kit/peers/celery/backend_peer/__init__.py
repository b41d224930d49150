"""The parts of ``celery_peer.py``."""
