package parlance.conformance;

import java.util.Map;

/** Writes maps, lists, texts, numbers, booleans and null. */
final class Json {
    private Json() {}

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                quote(out.append(before), String.valueOf(entry.getKey()));
                append(out.append(':'), entry.getValue());
                before = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            out.append('[');
            String before = "";
            for (Object item : list) {
                append(out.append(before), item);
                before = ",";
            }
            out.append(']');
        } else {
            quote(out, value.toString());
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        text.chars().forEach(unit -> {
            if (unit >= ' ' && unit != '"' && unit != '\\') {
                out.append((char) unit);
            } else {
                out.append(String.format("\\u%04x", unit));
            }
        });
        out.append('"');
    }
}
