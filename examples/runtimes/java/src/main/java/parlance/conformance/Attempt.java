package parlance.conformance;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One try of one task, and what its handler may do. */
final class Attempt {
    final Link link;
    final Log log;
    final Map<?, ?> instance;
    final Map<?, ?> context;

    Attempt(Link link, Log log, Map<?, ?> details) {
        this.link = link;
        this.log = log;
        this.instance = (Map<?, ?>) details.get("ti");
        this.context = (Map<?, ?>) details.get("ti_context");
        link.carrier = (Map<?, ?>) instance.get("context_carrier");
    }

    /** Runs the handler and stores what it returns. */
    void perform() throws Exception {
        if (context.get("xcom_keys_to_clear") instanceof List<?> stale) {
            for (Object key : stale) {
                link.ask("DeleteXCom", where(Map.of("key", key), "dag_id", "run_id", "task_id"));
            }
        }
        Handlers.Handler handler = Handlers.BY_TASK_ID.get(instance.get("task_id"));
        if (handler == null) {
            throw new EndingException(Map.of("type", "TaskState", "state", "removed"));
        }
        Object value = handler.run(this);
        if (value != null) {
            push("return_value", value);
        }
    }

    /** Sends the one terminal message; when it returns, the supervisor has confirmed it. */
    void report(Throwable failure) throws IOException {
        Map<String, Object> end = new HashMap<>();
        if (failure == null) {
            end.putAll(Map.of("type", "SucceedTask", "task_outlets", List.of(), "outlet_events", List.of()));
        } else if (failure instanceof EndingException ending) {
            end.putAll(ending.body);
        } else {
            log.write("error", "conformance", "Task failed", Map.of("error", failure.toString()));
            Double after = failure instanceof RetryException retry ? retry.afterSeconds : null;
            boolean never = failure instanceof RetryException && after == null;
            // Whether a try is left, the server has worked out.
            if (Boolean.TRUE.equals(context.get("should_retry")) && !never) {
                String reason = String.valueOf(failure.getMessage());
                int length = Math.min(500, reason.length());
                end.putAll(Map.of("type", "RetryTask", "retry_reason", reason.substring(0, length)));
                if (after != null) {
                    end.put("retry_delay_seconds", after);
                }
            } else {
                end.putAll(Map.of("type", "TaskState", "state", "failed"));
            }
        }
        end.put("end_date", Instant.now().toString());
        link.end(end);
    }

    /** The fields, and of this task instance those that are named. */
    Map<String, Object> where(Map<String, ?> fields, String... names) {
        Map<String, Object> all = new HashMap<>(fields);
        for (String name : names) {
            all.put(name, instance.get(name));
        }
        return all;
    }

    /** An XCom of a task of this run that is not mapped; null when there is none. */
    Object pull(String taskId, String key) throws IOException {
        Map<String, Object> fields = where(Map.of("task_id", taskId, "key", key), "dag_id", "run_id");
        fields.put("map_index", null);
        return link.ask("GetXCom", fields).get("value");
    }

    void push(String key, Object value) throws IOException {
        Map<String, Object> fields = where(Map.of("key", key), "dag_id", "run_id", "task_id", "map_index");
        fields.put("value", value);
        link.ask("SetXCom", fields);
    }
}
