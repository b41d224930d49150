package parlance.stock;

import java.util.HashMap;
import java.util.Map;

/** What a task knows of itself, and what it may ask for. */
final class TaskContext {
    private final SupervisorLink link;
    private final Map<?, ?> instance;
    private final Map<?, ?> runContext;

    TaskContext(SupervisorLink link, Map<?, ?> startup) {
        this.link = link;
        this.instance = (Map<?, ?>) startup.get("ti");
        this.runContext = (Map<?, ?>) startup.get("ti_context");
    }

    String dagId() {
        return (String) instance.get("dag_id");
    }

    String taskId() {
        return (String) instance.get("task_id");
    }

    long tryNumber() {
        return (Long) instance.get("try_number");
    }

    boolean shouldRetry() {
        return Boolean.TRUE.equals(runContext.get("should_retry"));
    }

    /** An Airflow Variable. */
    String variable(String key) throws Exception {
        return (String) link.ask("GetVariable", Map.of("key", key)).get("value");
    }

    /** What another task of this run, not mapped, pushed; null when it pushed nothing. */
    Object pull(String taskId, String key) throws Exception {
        return link.ask("GetXCom", xcom(taskId, key)).get("value");
    }

    void push(String key, Object value) throws Exception {
        Map<String, Object> fields = xcom(taskId(), key);
        fields.put("value", value);
        fields.put("map_index", instance.get("map_index"));
        link.ask("SetXCom", fields);
    }

    private Map<String, Object> xcom(String taskId, String key) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("dag_id", dagId());
        fields.put("run_id", instance.get("run_id"));
        fields.put("task_id", taskId);
        fields.put("key", key);
        return fields;
    }
}
