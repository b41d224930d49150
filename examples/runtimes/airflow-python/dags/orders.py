"""Operators of Airflow's standard provider, as any Dag has them."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.providers.standard.operators.python import BranchPythonOperator
from airflow.providers.standard.sensors.python import PythonSensor
from airflow.providers.standard.sensors.time_delta import TimeDeltaSensor
from airflow.sdk import DAG, Connection, Variable, task

FOLDER = Path(__file__).parents[1]

with DAG("orders", schedule="@daily", start_date=datetime(2026, 1, 1, tzinfo=timezone.utc)):

    @task
    def extract():
        shop = Connection.get("shop")
        print(f"reading {shop.host} as {shop.login} with {shop.password}")
        return [{"article": "kettle", "cents": 8900}, {"article": "cup", "cents": 890}]

    @task
    def price(order):
        return round(order["cents"] * (1 + float(Variable.get("tax"))))

    @task(retries=1)
    def total(prices, *, ti=None):
        if ti.try_number == 1:
            raise ConnectionError("the till does not answer")
        return sum(prices)

    def choose_by_total(ti):
        return "report" if ti.xcom_pull(task_ids="total") > 10_000 else "rest"

    choose = BranchPythonOperator(task_id="choose", python_callable=choose_by_total)
    report = BashOperator(
        task_id="report",
        bash_command="echo '{{ ds }}: {{ ti.xcom_pull(task_ids=\"total\") / 100 }} {{ var.value.currency }}'",
    )
    arrival = PythonSensor(
        task_id="arrival",
        python_callable=lambda: (FOLDER / "arrived").exists(),
        mode="reschedule",
        poke_interval=60,
    )
    warranty = TimeDeltaSensor(task_id="warranty", delta=timedelta(days=3650), deferrable=True)

    total(price.expand(order=extract())) >> choose >> [report, EmptyOperator(task_id="rest")]
    report >> arrival >> warranty
