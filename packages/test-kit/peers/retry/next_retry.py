"""Ask the genuine calculation when tasks run again.

    python next_retry.py --golden > golden_next_retry.json    # the file of packages/retry/test/data
    python next_retry.py --golden --seed 7 --count 2000       # other random vectors behind the hand-made ones
    python next_retry.py --stdin < vectors.ndjson             # one answer a line, in order

Without ``--golden``, a vector that lacks a field gets it from ``cases.base_case``. Ends with stdin.
"""
from __future__ import annotations

import argparse
import json
import random
import sys

import airflow
from cases import base_case, fixed_cases, rand_case
from genuine import abstractoperator, answer


def golden(seed: int, count: int) -> None:
    r = random.Random(seed)
    cases = fixed_cases() + [rand_case(r) for _ in range(count)]
    vectors = [{"id": i, **answer(c)} for i, c in enumerate(cases)]
    head = {
        "airflow": airflow.__version__, "python": sys.version.split()[0], "platform": sys.platform,
        "default_max_task_retry_delay_s": abstractoperator.MAX_RETRY_DELAY,
        "seed": seed, "count": len(vectors),
    }
    lines = ",\n".join(json.dumps(v, ensure_ascii=True) for v in vectors)
    sys.stdout.write(json.dumps(head)[:-1] + ', "vectors": [\n' + lines + "\n]}\n")


def answer_stdin() -> None:
    for line in sys.stdin:
        if line.strip():
            out = answer({**base_case(), **json.loads(line)})["out"]
            sys.stdout.write(json.dumps(out, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = p.add_mutually_exclusive_group(required=True)
    mode.add_argument("--golden", action="store_true")
    mode.add_argument("--stdin", action="store_true")
    p.add_argument("--seed", type=int, default=20260102)
    p.add_argument("--count", type=int, default=700, help="random vectors behind the hand-made ones")
    a = p.parse_args()
    if a.stdin:
        answer_stdin()
    else:
        golden(a.seed, a.count)


if __name__ == "__main__":
    main()
