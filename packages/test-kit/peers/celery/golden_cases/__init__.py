"""What ``make_golden.py`` asks of Celery.

A case has a name, its writes as ``backend_peer.operations.write`` takes them, sometimes a note.
"""
