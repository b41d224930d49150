package parlance.conformance;

import java.util.Map;

/** Writes maps, lists, texts, numbers, booleans and null, and anything else as its text. */
final class Json {
    private static final int MAX_DEPTH = 20;

    private Json() {}

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value, 0);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value, int depth) {
        boolean finite = !(value instanceof Double number) || Double.isFinite(number);
        if (depth > MAX_DEPTH) {
            quote(out, "…");
        } else if (value == null || value instanceof Boolean || value instanceof Number && finite) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                quote(out.append(before), String.valueOf(entry.getKey()));
                append(out.append(':'), entry.getValue(), depth + 1);
                before = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            out.append('[');
            String before = "";
            for (Object item : list) {
                append(out.append(before), item, depth + 1);
                before = ",";
            }
            out.append(']');
        } else if (value instanceof Throwable thrown) {
            quote(out, thrown + (thrown.getCause() == null ? "" : ", by " + thrown.getCause()));
        } else {
            quote(out, value.toString());
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        text.chars().forEach(unit -> {
            if (unit >= ' ' && unit != '"' && unit != '\\' && !Character.isSurrogate((char) unit)) {
                out.append((char) unit);
            } else {
                out.append(String.format("\\u%04x", unit));
            }
        });
        out.append('"');
    }
}
