"""Waits for two tasks that run in TypeScript, as for any task of Celery."""

from celery import Celery

app = Celery("client")
app.conf.result_backend = "db+sqlite:///results.db"
app.conf.result_extended = True  # so that name, worker and retries are read, too

# The ids that `parlance run --results` gives: {dag}/{run}/{task}
price = app.AsyncResult("orders/monday/price")
reserve = app.AsyncResult("orders/monday/reserve")

print("waiting for", price.id, flush=True)
print("price:", price.get(timeout=120))
print("stored by", price.worker, "as", price.name)

try:
    reserve.get(timeout=120)
except Exception as error:
    print("reserve raised", type(error).__name__, "after", reserve.retries, "retry:", error)
    print(reserve.traceback.splitlines()[-1])
