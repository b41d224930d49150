package parlance.stock;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.IntegerValue;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;

/** MessagePack to and from maps, lists, texts, integers, doubles, booleans, instants and null. */
public final class Wire {
    private Wire() {}

    public static byte[] encode(Object value) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packValue(toValue(value));
            return packer.toByteArray();
        }
    }

    public static Object decode(byte[] bytes) throws IOException {
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(bytes)) {
            return toObject(unpacker.unpackValue());
        }
    }

    private static Value toValue(Object value) {
        if (value == null) {
            return ValueFactory.newNil();
        } else if (value instanceof String text) {
            return ValueFactory.newString(text);
        } else if (value instanceof Boolean flag) {
            return ValueFactory.newBoolean(flag);
        } else if (value instanceof Double number) {
            return ValueFactory.newFloat(number);
        } else if (value instanceof BigInteger number) {
            return ValueFactory.newInteger(number);
        } else if (value instanceof Number number) {
            return ValueFactory.newInteger(number.longValue());
        } else if (value instanceof List<?> list) {
            return ValueFactory.newArray(list.stream().map(Wire::toValue).toList());
        } else if (value instanceof Map<?, ?> map) {
            Map<Value, Value> entries = new HashMap<>();
            map.forEach((key, item) -> entries.put(toValue(key), toValue(item)));
            return ValueFactory.newMap(entries);
        }
        throw new IllegalArgumentException("a " + value.getClass().getName() + " has no place in a message");
    }

    /** A long, as far as it reaches. */
    private static Number toNumber(IntegerValue value) {
        return value.isInLongRange() ? value.asLong() : value.asBigInteger();
    }

    private static Object toObject(Value value) {
        return switch (value.getValueType()) {
            case NIL -> null;
            case BOOLEAN -> value.asBooleanValue().getBoolean();
            case INTEGER -> toNumber(value.asIntegerValue());
            case FLOAT -> value.asFloatValue().toDouble();
            case STRING -> value.asStringValue().asString();
            case BINARY -> value.asBinaryValue().asByteArray();
            case ARRAY -> {
                List<Object> list = new ArrayList<>();
                value.asArrayValue().forEach(item -> list.add(toObject(item)));
                yield list;
            }
            case MAP -> {
                Map<Object, Object> map = new HashMap<>();
                value.asMapValue().entrySet().forEach(entry -> map.put(toObject(entry.getKey()), toObject(entry.getValue())));
                yield map;
            }
            // The supervisor's date-times are MessagePack's own timestamps.
            case EXTENSION -> value.asTimestampValue().toInstant();
        };
    }
}
