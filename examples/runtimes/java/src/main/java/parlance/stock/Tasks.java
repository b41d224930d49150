package parlance.stock;

import java.util.Map;

/** The tasks of this program, by the names that the Dag file has for them. */
final class Tasks {
    private static final Map<String, Task> TASKS = Map.of(
            "stock.count", Tasks::count,
            "stock.order", Tasks::order);

    private Tasks() {}

    static Task find(String dagId, String taskId) {
        Task task = TASKS.get(dagId + "." + taskId);
        if (task == null) {
            throw new IllegalArgumentException("there is no task " + taskId + " of the Dag " + dagId + " in this program");
        }
        return task;
    }

    private static Object count(TaskContext context, TaskLog log) throws Exception {
        String warehouse = context.variable("warehouse");
        log.write("info", "Counting", Map.of("warehouse", warehouse));
        return Map.of("warehouse", warehouse, "kettles", 7);
    }

    /** The supplier never answers the first time. */
    private static Object order(TaskContext context, TaskLog log) throws Exception {
        Map<?, ?> counted = (Map<?, ?>) context.pull("count", "return_value");
        if (context.tryNumber() == 1) {
            throw new java.io.IOException("the supplier does not answer");
        }
        return 10 - (Long) counted.get("kettles");
    }
}
