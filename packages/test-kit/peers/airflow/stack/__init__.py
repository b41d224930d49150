"""Parts of airflow_stack.py."""
