"""Makes frames-VERSION.golden.json of integration/test/runtimes/data out of recorded transcripts.

    python reduce_transcripts.py TRANSCRIPTS/3.3.2 > frames-3.3.2.golden.json

A transcript is what a mock supervisor in Python saw of one task of data/dags under the stock task
runner. Kept of it: what the task was told, what it sent, and how it ended. Scenarios in which the mock
answers as no supervisor of ours does (wrong ids, refusals, a closed link) are left out.
"""

import json
import sys
from pathlib import Path

# What the mock did on purpose, by scenario; nothing a coordinator of ours would ever do.
MOCKED = {
    "answers something else": """bad_response_type boom_final_rejected boom_retry_rejected conn_missing_error
        error_bad_code error_no_type null_body_variable null_body_xcom pull_not_found_body
        reduce_end_error_frame rendered_rejected setxcom_rejected skip_rejected succeed_rejected
        var_denied var_denied_body var_missing_error wrong_type_ok""",
    "frames something else": "dribble pull_id_shift push_iso push_three shape_both shape_four shape_map shape_str_id",
    "tells something invalid": "bad_startup dagrun_extra_field extra_startup_field naive_start no_tz_dagrun",
    "closes the link": "comm_closed_at_start comm_closed_at_terminal comm_closed_mid",
    "starts the task otherwise": "fork_main fork_main_db fork_main_logs",
    "sends a signal at some time": "killhook sigterm_early",
}
LEFT_OUT = {name for names in MOCKED.values() for name in names.split()}
CONTEXT = ("max_tries", "should_retry", "task_reschedule_count", "next_method", "next_kwargs", "xcom_keys_to_clear")
DEFAULTS = {"map_index": -1, "try_number": 1, "max_tries": 0, "should_retry": False, "task_reschedule_count": 0,
            "xcom_keys_to_clear": [], "dag_id": "proof", "dag_rel_path": "proof_dag.py", "bundle": "proofs",
            "run_type": "scheduled"}  # fmt: skip
LONG = 2_000


def shorten(value):
    return f"{len(value)} characters" if isinstance(value, str) and len(value) > LONG else value


def told(details):
    ti, context = details["ti"], details["ti_context"]
    facts = {key: ti[key] for key in ("task_id", "dag_id", "map_index", "try_number", "context_carrier")}
    facts |= {key: context[key] for key in CONTEXT}
    facts |= {"dag_rel_path": details["dag_rel_path"], "bundle": details["bundle_info"]["name"]}
    facts |= {"run_type": context["dag_run"]["run_type"]}
    return {key: value for key, value in facts.items() if value is not None and value != DEFAULTS.get(key)}


def reduce(file):
    lines = [json.loads(line) for line in file.read_text().splitlines()][1:]
    frames = [(line["dir"], line["frame"], line["len"]) for line in lines if line.get("ch") == "comm"]
    sent = [frame for direction, frame, _ in frames if direction == "to_supervisor"]
    for frame in sent:
        frame[1] = {key: shorten(value) for key, value in frame[1].items()}
    return {
        "told": told(frames[0][1][1]),
        "sent": sent,
        "exit": next(line["code"] for line in lines if line.get("ev") == "exit"),
    }


def main():
    files = sorted(Path(sys.argv[1]).glob("*.jsonl"))
    scenarios = {file.stem: reduce(file) for file in files if file.stem not in LEFT_OUT}
    rows = [f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in scenarios.items()]
    print("{\n" + ",\n".join(rows) + "\n}")


if __name__ == "__main__":
    main()
