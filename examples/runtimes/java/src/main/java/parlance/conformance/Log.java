package parlance.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import parlance.stock.Addresses;

/** One JSON object a line. Until there is a connection, lines wait here, in order. */
final class Log {
    private static final List<String> LEVELS = List.of("debug", "info", "warning", "error", "critical");

    /** Names of fields that Airflow's supervisor breaks on. */
    private static final List<String> BROKEN_BY = List.of("msg", "target", "self");

    private final ByteArrayOutputStream early = new ByteArrayOutputStream();
    private final Map<String, Integer> namespaces = new HashMap<>();
    private final int level;
    private OutputStream out = early;

    /** Reads the levels that the deployment wants: the runtime itself drops what is below. */
    Log() {
        level = rank(System.getenv().getOrDefault("AIRFLOW__LOGGING__LOGGING_LEVEL", "INFO"));
        for (String rule : System.getenv().getOrDefault("AIRFLOW__LOGGING__NAMESPACE_LEVELS", "").split("[\\s,]+")) {
            String[] parts = rule.split("=", 2);
            if (parts.length == 2) {
                namespaces.put(parts[0], rank(parts[1]));
            }
        }
    }

    private static int rank(String level) {
        int found = LEVELS.indexOf(level.toLowerCase(Locale.ROOT));
        return found < 0 ? LEVELS.indexOf("info") : found;
    }

    /** The level of the nearest name above a logger, else that of the deployment. */
    private int threshold(String logger) {
        for (String name = logger; !name.isEmpty(); name = name.substring(0, Math.max(0, name.lastIndexOf('.')))) {
            if (namespaces.containsKey(name)) {
                return namespaces.get(name);
            }
        }
        return level;
    }

    synchronized void connect(String address) throws IOException {
        OutputStream opened = Addresses.connect(address).getOutputStream();
        early.writeTo(opened);
        out = opened;
    }

    void info(String event, Map<String, ?> fields) {
        write("info", "conformance", event, fields);
    }

    /** Never fails a task: a log may be lost. */
    void write(String level, String logger, String event, Map<String, ?> fields) {
        if (rank(level) < threshold(logger)) {
            return;
        }
        Map<String, Object> line = new LinkedHashMap<>();
        fields.forEach((name, field) -> line.put(BROKEN_BY.contains(name) ? name + "_" : name, field));
        line.put("timestamp", Instant.now().toString());
        line.put("level", level);
        line.put("logger", logger);
        line.put("event", event);
        byte[] text = (Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
            try {
                out.write(text);
            } catch (IOException lost) {
                // the task goes on
            }
        }
    }
}
