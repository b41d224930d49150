/** What a graph is drawn of. */
export interface GraphTask {
  readonly taskId: string;
  readonly upstream: readonly string[];
}

/** Where a task stands: layers from left to right, places from top to bottom. */
export interface GraphPlace {
  readonly taskId: string;
  readonly layer: number;
  readonly place: number;
}

/** A laid out graph, in layers and places. */
export interface GraphLayout {
  readonly places: readonly GraphPlace[];
  readonly edges: readonly (readonly [GraphPlace, GraphPlace])[];
  readonly layers: number;
  /** The most places of a layer. */
  readonly height: number;
}

const SWEEPS = 4;

/**
 * Lays out tasks in layers: each stands one layer right of the furthest of those before it. In a layer they
 * are ordered by the middle of their neighbours, a few sweeps to and fro, which leaves few crossings.
 *
 * @param tasks - in an order in which they can run
 */
export function layOutGraph(tasks: readonly GraphTask[]): GraphLayout {
  const layerOf = new Map<string, number>();
  for (const { taskId, upstream } of tasks) {
    layerOf.set(taskId, Math.max(-1, ...upstream.map((id) => layerOf.get(id) ?? -1)) + 1);
  }
  const depth = Math.max(-1, ...layerOf.values()) + 1;
  const layers: string[][] = Array.from({ length: depth }, () => []);
  for (const { taskId } of tasks) layers[layerOf.get(taskId) ?? 0]?.push(taskId);
  const before = new Map(tasks.map(({ taskId, upstream }) => [taskId, upstream]));
  const after = new Map<string, string[]>(tasks.map(({ taskId }) => [taskId, []]));
  for (const { taskId, upstream } of tasks) for (const id of upstream) after.get(id)?.push(taskId);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const [neighbours, order] = sweep % 2 === 0 ? [before, layers] : [after, [...layers].reverse()];
    const places = new Map(
      layers.flatMap((layer) => layer.map((id, place) => [id, place] as const)),
    );
    for (const layer of order) {
      orderLayer(layer, neighbours, places);
      for (const [place, id] of layer.entries()) places.set(id, place);
    }
  }
  return build(tasks, layers);
}

function orderLayer(
  layer: string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
  places: ReadonlyMap<string, number>,
): void {
  const middle = new Map(
    layer.map((id, place) => {
      const found = (neighbours.get(id) ?? []).flatMap((other) => places.get(other) ?? []);
      const sum = found.reduce((total, one) => total + one, 0);
      return [id, found.length === 0 ? place : sum / found.length];
    }),
  );
  layer.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
}

function build(tasks: readonly GraphTask[], layers: readonly (readonly string[])[]): GraphLayout {
  const height = Math.max(0, ...layers.map((layer) => layer.length));
  const found = new Map<string, GraphPlace>();
  for (const [layer, ids] of layers.entries()) {
    const top = (height - ids.length) / 2;
    for (const [place, taskId] of ids.entries()) {
      found.set(taskId, { taskId, layer, place: top + place });
    }
  }
  const places = tasks.flatMap(({ taskId }) => found.get(taskId) ?? []);
  const edges = tasks.flatMap(({ taskId, upstream }) => {
    const to = found.get(taskId);
    return upstream.flatMap((id) => {
      const from = found.get(id);
      return from === undefined || to === undefined ? [] : [[from, to] as const];
    });
  });
  return { places, edges, layers: layers.length, height };
}
