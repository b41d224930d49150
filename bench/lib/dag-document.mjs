/** How many tasks a layer has, and after how many of the layer before each of them comes. */
const WIDTH = 100;
const BEFORE = 3;

/**
 * The serialised Dag of so many tasks that all do the same.
 *
 * @param {"layers" | "wide" | "mapped"} shape layers of 100, each task after three of the layer before; all of them
 *   at once; one task mapped over a list
 * @param {number} count
 */
export function dagDocument(shape, count) {
  const tasks = shape === "mapped" ? [mapped(count)] : plain(count, shape === "layers");
  return {
    __version: 3,
    dag: {
      dag_id: "bench",
      fileloc: "/bench.mjs",
      relative_fileloc: "bench.mjs",
      max_active_tasks: 1_000,
      timetable: { __type: "airflow.timetables.simple.NullTimetable", __var: {} },
      tasks: tasks.map((__var) => ({ __type: "operator", __var })),
      task_group: {
        ...{ _group_id: null, group_display_name: "", prefix_group_id: true, tooltip: "" },
        children: Object.fromEntries(tasks.map(({ task_id: id }) => [id, ["operator", id]])),
        ...{ upstream_group_ids: [], downstream_group_ids: [] },
        ...{ upstream_task_ids: [], downstream_task_ids: [] },
      },
    },
  };
}

function plain(count, inLayers) {
  const tasks = Array.from({ length: count }, (_, at) => ({
    task_id: `task_${at}`,
    downstream_task_ids: [],
  }));
  if (!inLayers) return tasks;
  for (let at = WIDTH; at < count; at++) {
    const layer = Math.floor(at / WIDTH) - 1;
    for (let other = 0; other < BEFORE; other++) {
      const before = layer * WIDTH + ((at + other) % WIDTH);
      tasks[before].downstream_task_ids.push(`task_${at}`);
    }
  }
  return tasks;
}

function mapped(count) {
  const value = { __type: "dict", __var: { each: Array.from({ length: count }, (_, at) => at) } };
  return {
    ...{ task_id: "each", downstream_task_ids: [], _is_mapped: true, partial_kwargs: {} },
    ...{ _expand_input_attr: "expand_input", expand_input: { type: "dict-of-lists", value } },
  };
}
