package parlance.conformance;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The handlers that the kit asks for. */
final class Handlers {
    /** Gives what is stored as return_value, null for nothing. */
    @FunctionalInterface
    interface Handler {
        Object run(Attempt task) throws Exception;
    }

    static final Map<String, Handler> BY_TASK_ID = Map.ofEntries(
            Map.entry("succeed", task -> null),
            Map.entry("echo", task -> task.pull("source", "return_value")),
            Map.entry("fail", task -> {
                throw new IllegalStateException("deliberate failure");
            }),
            Map.entry("sleep", Handlers::sleep),
            Map.entry("describe", Handlers::describe),
            Map.entry("read_variable", task -> task.link.ask("GetVariable", Map.of("key", "conformance")).get("value")),
            Map.entry("write_variable", Handlers::writeVariable),
            Map.entry("read_connection", Handlers::readConnection),
            Map.entry("write_xcom", Handlers::writeXCom),
            Map.entry("missing_xcom", task -> task.pull("source", "nothing_here") == null ? "null" : "a value"),
            Map.entry("log_levels", Handlers::logLevels),
            Map.entry("log_fields", Handlers::logFields),
            Map.entry("log_many", Handlers::logMany),
            Map.entry("log_reserved", Handlers::logReserved),
            Map.entry("log_odd", Handlers::logOdd),
            Map.entry("log_large", Handlers::logLarge),
            Map.entry("print", Handlers::print),
            Map.entry("many_requests", Handlers::manyRequests),
            Map.entry("catch_error", Handlers::catchError),
            Map.entry("fail_at_length", task -> {
                throw new IllegalStateException("x".repeat(2000));
            }),
            Map.entry("requests", Handlers::requests),
            Map.entry("time_limit", task -> {
                task.link.ask("SetExecutionTimeout", Map.of("timeout_seconds", 60));
                return null;
            }),
            Map.entry("bound", Handlers::bound),
            Map.entry("skip", task -> {
                throw new EndingException(Map.of("type", "TaskState", "state", "skipped"));
            }),
            Map.entry("skip_downstream", Handlers::skipDownstream),
            Map.entry("retry_later", task -> {
                throw new RetryException("come back later", 90.0);
            }),
            Map.entry("fail_for_good", task -> {
                throw new RetryException("no retry helps", null);
            }),
            Map.entry("reschedule", task -> {
                throw new EndingException(Map.of("type", "RescheduleTask", "reschedule_date", "2030-01-01T00:00:00Z"));
            }));

    private Handlers() {}

    private static Object sleep(Attempt task) throws InterruptedException {
        task.log.info("sleeping", Map.of());
        Thread.sleep(60_000);
        return null;
    }

    private static Object describe(Attempt task) {
        Map<?, ?> run = (Map<?, ?>) task.context.get("dag_run");
        Map<String, Object> told =
                task.where(Map.of(), "dag_id", "task_id", "run_id", "try_number", "map_index");
        Object date = run.get("logical_date");
        told.put("logical_date", date == null ? null : date.toString());
        told.put("conf", run.get("conf"));
        return told;
    }

    private static Object writeVariable(Attempt task) throws IOException {
        Map<String, Object> fields = new HashMap<>(Map.of("key", "conformance", "value", "written"));
        fields.put("description", null);
        task.link.ask("PutVariable", fields);
        task.link.ask("DeleteVariable", Map.of("key", "conformance_old"));
        return null;
    }

    private static Object readConnection(Attempt task) throws IOException {
        Map<?, ?> found = task.link.ask("GetConnection", Map.of("conn_id", "conformance"));
        Map<String, Object> told = new HashMap<>();
        for (String name : List.of("conn_type", "host", "port", "login", "schema", "extra")) {
            told.put(name, found.get(name));
        }
        told.put("password_length", found.get("password") instanceof String password ? password.length() : 0);
        return told;
    }

    private static Object writeXCom(Attempt task) throws IOException {
        Map<String, Object> values = new HashMap<>(Map.of("text", "héllo ✓ 🚀", "number", 42, "half", 0.5, "yes", true));
        values.put("nothing", null);
        values.put("list", List.of(1, List.of(2, List.of()), Map.of()));
        task.push("values", values);
        return null;
    }

    private static Object logLevels(Attempt task) {
        for (String level : List.of("debug", "info", "warning", "error", "critical")) {
            task.log.write(level, "conformance.levels", "at " + level, Map.of());
        }
        return null;
    }

    private static Object logFields(Attempt task) {
        Map<String, Object> deep = Map.of("list", Arrays.asList(1, "two", null));
        task.log.info("odd: \"quotes\" \\ \n new line \u0001 héllo ✓ 🚀", Map.of("rows", 42, "deep", deep));
        return null;
    }

    private static Object logMany(Attempt task) {
        for (int n = 0; n < 10_000; n++) {
            task.log.info("many", Map.of("n", n));
        }
        return null;
    }

    private static Object logReserved(Attempt task) {
        task.log.info("reserved", Map.of("level", "nothing", "event", "another", "timestamp", 0, "logger", 1,
                "msg", "m", "target", "t", "self", "s"));
        return null;
    }

    private static Object logOdd(Attempt task) {
        Map<String, Object> ring = new HashMap<>();
        ring.put("ring", ring);
        List<Object> values = List.of(Double.NaN, Double.POSITIVE_INFINITY, BigInteger.TWO.pow(80), "\ud800");
        Throwable error = new IllegalStateException("the error", new IllegalArgumentException("its cause"));
        task.log.info("odd values", Map.of("n", 1, "values", values, "error", error, "ring", ring));
        return null;
    }

    private static Object logLarge(Attempt task) {
        task.log.info("large", Map.of("text", "x".repeat(1 << 20)));
        return null;
    }

    private static Object catchError(Attempt task) {
        try {
            return task.link.ask("GetVariable", Map.of("key", "nothing_here")).get("value");
        } catch (IOException absent) {
            return "caught";
        }
    }

    /** What the run asks for, one after the other. */
    @SuppressWarnings("unchecked")
    private static Object requests(Attempt task) throws IOException {
        Map<?, ?> run = (Map<?, ?>) task.context.get("dag_run");
        for (Object request : (List<?>) ((Map<?, ?>) run.get("conf")).get("requests")) {
            Map<String, Object> fields = (Map<String, Object>) request;
            task.link.ask((String) fields.get("type"), fields);
        }
        return null;
    }

    private static Object print(Attempt task) {
        System.out.println("to stdout");
        System.err.println("to stderr");
        System.out.print("no line ends here");
        return null;
    }

    /** Sends five before it waits for the first answer. */
    private static Object manyRequests(Attempt task) throws IOException {
        List<CompletableFuture<Map<?, ?>>> answers = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            answers.add(task.link.send("GetVariable", Map.of("key", "conformance_" + n), false));
        }
        List<Object> values = new ArrayList<>();
        for (CompletableFuture<Map<?, ?>> answer : answers) {
            values.add(Link.result(answer).get("value"));
        }
        return values;
    }

    private static Object skipDownstream(Attempt task) throws IOException {
        task.link.ask("SkipDownstreamTasks", Map.of("tasks", List.of("after")));
        return null;
    }

    /** The arguments of the Python call: values as they are, and results of other tasks. */
    private static Object bound(Attempt task) throws IOException {
        Map<String, Object> arguments = new HashMap<>();
        if (task.context.get("arg_bindings") instanceof List<?> bindings) {
            for (Object one : bindings) {
                Map<?, ?> binding = (Map<?, ?>) one;
                Object value = switch ((String) binding.get("kind")) {
                    case "literal" -> binding.get("value");
                    case "xcom" -> task.pull((String) binding.get("task_id"), "return_value");
                    default -> throw new IOException("an argument of a kind that is not known: " + binding);
                };
                arguments.put((String) binding.get("name"), value);
            }
        }
        return arguments;
    }
}
