"""The questions of the golden file: hand-made ones, and random ones that depend on a seed only.

The draws of the random generator are in a fixed order; to change one changes all after it.
"""
from __future__ import annotations

import math
from datetime import datetime, timezone
from zoneinfo import ZoneInfo


def enc(v):
    """A number as it is written in a vector."""
    if isinstance(v, float) and not math.isfinite(v):
        return {"$f": "nan" if v != v else ("inf" if v > 0 else "-inf")}
    if isinstance(v, int) and not isinstance(v, bool) and abs(v) > 2**53:
        return {"$int": str(v)}
    return v


DAG_IDS = ["etl", "my.dag-1", "日次バッチ", "données_été", "данные", "a" * 60, "🚀launch", "x", "retry_demo", "团队.夜间任务"]
TASK_IDS = ["t", "load", "group.inner_task", "抽出", "naïve", "a#b", "задача_7", "extract-users", "T" * 80, "e\u0301"]
ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe",
         "America/St_Johns", "Pacific/Kiritimati", "Africa/Monrovia"]
MULTS = [True, False, 0, 1, 0.5, 1.5, 2, 2.0, 3.5, 5, 1e308, -1, -2.5, 1.1, 1.01, 1.0000000000000002, 10,
         0.1, 2.5, 3, 1.25, 1e-300, 7, 100, 1e6, 0.9999999999999999, -0.0, 1.05, 1.7, 4.2, 1e155, 5e-324]
DELAYS = [0, 1, 1000, 500_000, 1_000_000, 1_500_000, 100_000, 333_333, 10_000_000, 59_999_999, 60_000_000,
          300_000_000, 240_000_000, 3_600_000_000, 86_400_000_000, 86_399_999_999, 7 * 86_400_000_000,
          999_999_999_999, 365 * 86_400_000_000, 123_456_789, 30_000_000, 7_000_000, 2_250_000]
CAPS = [None, None, None, 0, 1, 500_000, 1_000_000, 60_000_000, 600_000_000, 3_600_000_000, 86_400_000_000,
        30 * 86_400_000_000, 61_234_567]


def rand_instant(r, micro=None):
    z = r.choice(ZONES)
    base = datetime(r.choice([1970, 1999, 2016, 2020, 2024, 2025, 2026, 2038, 2100]), r.randint(1, 12), r.randint(1, 28),
                    r.randint(0, 23), r.randint(0, 59), r.randint(0, 59), tzinfo=ZoneInfo(z))
    us = r.choice([0, 0, 1, 999_999, 500_000, 123_456, 120_000]) if micro is None else micro
    return base.replace(microsecond=us).isoformat()


def rand_case(r, layer=None):
    layer = layer or r.choices(["sdk", "mapped", "memory", "direct"], [6, 2, 2, 2])[0]
    mult = r.choice(MULTS) if r.random() < 0.8 else round(r.uniform(0.2, 6), r.choice([1, 2, 3, 15]))
    c = {
        "layer": layer,
        "dag_id": r.choice(DAG_IDS), "task_id": r.choice(TASK_IDS),
        "logical_date": None if r.random() < 0.15 else rand_instant(r),
        "end_date": rand_instant(r),
        "try_number": r.choice([1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 45, 60, r.randint(1, 60)]),
        "retry_delay_us": r.choice(DELAYS) if r.random() < 0.8 else r.randint(0, 4_000_000_000),
        "multiplier": enc(mult),
        "max_retry_delay_us": r.choice(CAPS),
        "map_index": r.choice([-1, -1, 0, 3]),
        "max_task_retry_delay_s": None,
        "override_seconds": None,
    }
    if r.random() < 0.1:
        c["max_task_retry_delay_s"] = r.choice([0, 1, 60, 3600, 604_800, 315_360_000, 10**12])
    return c


POW_TRAPS = [(0.44, 3, 46875), (0.44, 3, 62500), (0.88, 3, 31250), (0.88, 3, 62500), (0.88, 3, 78125), (0.9, 4, 30000), (0.9, 4, 40000), (0.9, 4, 60000), (0.9, 4, 80000), (1.8, 4, 1250), (1.8, 4, 1875), (1.8, 4, 2500), (1.8, 4, 3125), (1.8, 4, 3750), (1.8, 4, 4375), (1.8, 4, 5000), (1.8, 4, 5625), (1.8, 4, 6250), (1.8, 4, 6875), (1.8, 4, 7500), (1.8, 4, 8125)]


def base_case(**kw):
    c = {"layer": "sdk", "dag_id": "etl", "task_id": "load", "logical_date": "2026-01-02T03:04:05+00:00",
         "end_date": "2026-01-02T04:00:00+00:00", "try_number": 1, "retry_delay_us": 300_000_000, "multiplier": 2.0,
         "max_retry_delay_us": None, "map_index": -1, "max_task_retry_delay_s": None, "override_seconds": None}
    c.update(kw)
    c["multiplier"] = enc(c["multiplier"])
    c["override_seconds"] = enc(c["override_seconds"])
    return c


def fixed_cases():
    F = []
    add = lambda note, **kw: F.append({"note": note, **base_case(**kw)})  # noqa: E731
    for n in range(1, 61):
        add("doubling ladder, tries 1..60", try_number=n)
    for m in [True, False, 0, 1, 0.5, 1.5, 2, 3.5, 5, 1e308, -1, -2.5, -0.0, 1.0]:
        for layer in ("sdk", "mapped", "direct"):
            for n in (1, 2, 5):
                add("each kind of multiplier, normalised and not", layer=layer, multiplier=m, try_number=n)
    for m in [float("nan"), float("inf"), float("-inf")]:
        for d in (0, 300_000_000):
            for n in (1, 2, 3):
                add("non-finite multiplier on the task", layer="direct", multiplier=m, retry_delay_us=d, try_number=n)
                add("non-finite multiplier through serialisation", layer="sdk", multiplier=m, retry_delay_us=d, try_number=n)
    for m, n in [(1e308, 2), (1e308, 3), (1e200, 3), (2.0, 60), (2, 1025), (2.0, 1025), (2.0, 1026), (2, 1100), (5e-324, 60), (1e-300, 3),
                 (10, 309), (10, 310), (10**400, 1), (10**400, 2), (10**400, 3)]:
        for d in (0, 1, 1_000_000, 365 * 86_400_000_000):
            add("overflow and underflow", layer="direct", multiplier=m, try_number=n, retry_delay_us=d)
    for n in (0, -1, -3):
        for m in (2.0, 0.5, 0, 1.5, 5e-324):
            add("try number below one", layer="direct", try_number=n, multiplier=m)
    for d in (-1_000_000, -300_000_000):
        for m in (0, 2.0):
            add("negative base delay", layer="direct", retry_delay_us=d, multiplier=m)
            add("negative base delay through serialisation", layer="sdk", retry_delay_us=d, multiplier=m)
    for cap_ in (0, 1, 999_999, 1_000_000, 10_000_000, 599_999_999, 10**15):
        for m in (0, 1, 2.0):
            add("task cap ignored unless backoff is on", max_retry_delay_us=cap_, multiplier=m, try_number=2)
    add("negative task cap", layer="direct", max_retry_delay_us=-5_000_000, try_number=2)
    for g in (0, 1, 60, 86_400, 604_800, 315_360_000, 10**12, -5):
        for n in (1, 4, 20):
            add("global cap", max_task_retry_delay_s=g, try_number=n)
            add("global cap", max_task_retry_delay_s=g, try_number=n, multiplier=1e308)
        add("global cap does not touch fixed delay", max_task_retry_delay_s=g, multiplier=0, retry_delay_us=3 * 86_400_000_000)
    same = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    for z in ZONES:
        iso = same.astimezone(ZoneInfo(z)).isoformat()
        add("same instant, other zone, database", logical_date=iso)
        add("same instant, other zone, memory only", layer="memory", logical_date=iso)
    for us in (0, 1, 10, 100_000, 999_999):
        add("fractional seconds of the logical date", logical_date=same.replace(microsecond=us).isoformat())
    add("no logical date", logical_date=None)
    for mi in (-1, 0, 1, 99):
        add("map index has no influence", map_index=mi)
    for a, b in [("a#b", "c"), ("a", "b#c"), ("日本", "語"), ("", ""), ("e\u0301", "\u00e9"), ("\U0001f680", "t"), ("\ud800", "t")]:
        add("identifier bytes", dag_id=a, task_id=b, layer="direct")
    for o in (0, 0.0000005, 0.0000015, 0.0000025, 1, 1.5, 0.1, 30, -10, 86_400, 1e6, 1e9, 1e15, float("nan"), float("inf"), 123.4567891, 2.5e-7):
        add("explicit delay wins over everything", override_seconds=o, max_retry_delay_us=1_000_000, max_task_retry_delay_s=10)
    for layer in ("sdk", "mapped"):
        for m in ("2.0", "abc", "$default", "", 10**400):
            add("wrong types and the default", layer=layer, multiplier=m, try_number=2)
    for m in (0, 2.0):
        add("end date never recorded", multiplier=m, end_date=None)
    # Places where a one-ulp error of the host's pow() moves the product across a whole second.
    for m, n, d in [(0.44, 3, 15625), (0.44, 3, 31250), (0.44, 3, 78125), (0.88, 3, 15625), (0.88, 3, 46875), (0.9, 4, 10000),
                    (0.9, 4, 20000), (0.9, 4, 50000), (0.9, 4, 70000), (1.76, 3, 15625), (1.8, 4, 625)] + POW_TRAPS:
        add("pow() rounding trap", multiplier=m, try_number=n + 1, retry_delay_us=d * 1_000_000)
        add("pow() rounding trap, mapped", layer="mapped", multiplier=m, try_number=n + 1, retry_delay_us=d * 1_000_000)
    for us in (1, 999, 86_400_000_001, 10**15 + 1, 285 * 365 * 86_400_000_000 + 7):
        add("microsecond precision of a fixed delay", multiplier=0, retry_delay_us=us, end_date="2026-01-02T04:00:00.000003+00:00")
    add("explicit delay wins, fixed mode", override_seconds=7.25, multiplier=0)
    add("date range exhausted", end_date="9999-12-31T23:59:59+00:00", multiplier=0)
    add("date range exhausted", end_date="9999-12-31T23:59:59+00:00", multiplier=2.0)
    for m in (1.1, 1.01, 1.05, 0.1, 1.7, 4.2, 1.2, 1.3):
        for n in range(2, 12):
            add("products next to a whole second", multiplier=m, retry_delay_us=100_000_000, try_number=n)
    return F
