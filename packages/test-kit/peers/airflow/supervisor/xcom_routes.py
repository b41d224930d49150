"""``xcoms/DAG/RUN/TASK/KEY…`` of the fake Execution API."""

from __future__ import annotations

from typing import Any

from .replies import missing, reply

XComs = dict[tuple[str, str, str, str, int], Any]


def answer(xcoms: XComs, method: str, parts: list[str], query: dict[str, str], body: Any):
    if len(parts) < 5:
        return missing("/".join(parts))
    dag_id, run_id, task_id, key = parts[1:5]
    place = (dag_id, run_id, task_id, key, int(query.get("map_index", -1)))
    if parts[5:6] == ["item"]:
        rows = mapped_values(xcoms, place)
        index = int(parts[6])
        return reply(200, rows[index]) if -len(rows) <= index < len(rows) else missing("xcom item")
    if parts[5:6] == ["slice"]:
        bounds = (int(query[name]) if name in query else None for name in ("start", "stop", "step"))
        return reply(200, mapped_values(xcoms, place)[slice(*bounds)])
    match method:
        case "HEAD":
            count = sum(1 for other in xcoms if other[:4] == place[:4] and other[4] >= 0)
            return reply(200, headers={"Content-Range": f"map_indexes {count}"})
        case "GET":
            return reply(200, {"key": key, "value": xcoms[place]}) if place in xcoms else missing("xcom")
        case "POST":
            xcoms[place] = body
            return reply(201, {"message": "XCom successfully set"})
        case "DELETE":
            xcoms.pop(place, None)
            return reply(200, {"message": "deleted"})
    return missing("xcom")


def mapped_values(xcoms: XComs, place: tuple[str, str, str, str, int]) -> list[Any]:
    """The values of all map indexes, in order."""
    rows = sorted(((other[4], value) for other, value in xcoms.items() if other[:4] == place[:4]), key=lambda row: row[0])
    return [value for _index, value in rows]
