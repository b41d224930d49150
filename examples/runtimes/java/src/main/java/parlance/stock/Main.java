package parlance.stock;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Runs the one task that a supervisor asks for: {@code java … Main --comm=HOST:PORT --logs=HOST:PORT}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        SupervisorLink link = new SupervisorLink(address(args, "--comm="));
        TaskLog log = new TaskLog(address(args, "--logs="));
        Map<?, ?> first = link.receiveFirst();
        switch (String.valueOf(first.get("type"))) {
            case "StartupDetails" -> runTask(link, log, first);
            case "DagFileParseRequest" -> offerNoDags(link, first);
            default -> throw new IllegalStateException("the supervisor began with " + first.get("type"));
        }
        // Both links stay open until the process is gone: what the supervisor waits for is its end.
        Runtime.getRuntime().halt(0);
    }

    private static void runTask(SupervisorLink link, TaskLog log, Map<?, ?> startup) throws Exception {
        TaskContext context = new TaskContext(link, startup);
        try {
            Task task = Tasks.find(context.dagId(), context.taskId());
            Object result = task.run(context, log);
            if (result != null) {
                context.push("return_value", result);
            }
        } catch (LinkLostException lost) {
            throw lost; // nobody is left to tell; the exit code does
        } catch (Exception failure) {
            log.write("error", "The task failed", Map.of("error", failure.toString()));
            // Whether a try is left, the server has worked out.
            if (context.shouldRetry()) {
                link.ask("RetryTask", Map.of("state", "up_for_retry", "end_date", now()));
            } else {
                link.ask("TaskState", Map.of("state", "failed", "end_date", now()));
            }
            return;
        }
        link.ask("SucceedTask", Map.of("state", "success", "end_date", now()));
    }

    /** Airflow 3.4 asks every runtime for Dags of its own. */
    private static void offerNoDags(SupervisorLink link, Map<?, ?> request) throws Exception {
        link.ask("DagFileParsingResult", Map.of("fileloc", request.get("file"), "serialized_dags", List.of()));
    }

    private static String now() {
        return Instant.now().toString();
    }

    private static String address(String[] args, String flag) {
        for (String arg : args) {
            if (arg.startsWith(flag)) {
                return arg.substring(flag.length());
            }
        }
        throw new IllegalArgumentException("no " + flag + "HOST:PORT among the arguments: a supervisor starts this program");
    }
}
