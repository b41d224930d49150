package parlance.stock;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The task's log: one JSON object a line. Airflow wants a level in each. */
final class TaskLog {
    private final OutputStream out;

    TaskLog(String address) throws IOException {
        this.out = Addresses.connect(address).getOutputStream();
    }

    /** @param level {@code debug}, {@code info}, {@code warning}, {@code error} or {@code critical} */
    synchronized void write(String level, String event, Map<String, String> fields) throws IOException {
        Map<String, String> line = new LinkedHashMap<>();
        line.put("timestamp", Instant.now().toString());
        line.put("level", level);
        line.put("logger", "stock");
        line.put("event", event);
        fields.forEach(line::putIfAbsent);
        StringBuilder json = new StringBuilder("{");
        line.forEach((key, value) -> {
            quote(json.length() > 1 ? json.append(",") : json, key);
            quote(json.append(":"), value);
        });
        out.write(json.append("}\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void quote(StringBuilder json, String text) {
        json.append('"');
        text.chars().forEach(unit -> {
            boolean plain = unit >= ' ' && unit != '"' && unit != '\\';
            json.append(plain ? String.valueOf((char) unit) : String.format("\\u%04x", unit));
        });
        json.append('"');
    }
}
