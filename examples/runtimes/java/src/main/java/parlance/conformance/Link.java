package parlance.conformance;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import parlance.stock.Addresses;
import parlance.stock.Wire;

/** Frames: a 4-byte length, big-endian, then {@code [id, body]} out and {@code [id, body, error]} in. */
final class Link {
    private static final int MAX_FRAME_BYTES = 256 << 20;

    private final DataInputStream in;
    private final OutputStream out;
    private final Map<Long, CompletableFuture<Map<?, ?>>> waiting = new HashMap<>();
    /** The first frame, which nobody asks for; its id is 0. */
    private final CompletableFuture<Map<?, ?>> first = new CompletableFuture<>();
    private long nextId = 0;
    private long lastId = -1;
    /** The trace that the task is part of. */
    Map<?, ?> carrier;

    Link(String address) throws IOException {
        Socket socket = Addresses.connect(address);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = socket.getOutputStream();
        waiting.put(0L, first);
        Thread listener = new Thread(this::listen, "link");
        listener.setDaemon(true);
        listener.start();
    }

    Map<?, ?> first() throws IOException {
        return result(first);
    }

    Map<?, ?> ask(String type, Map<String, ?> fields) throws IOException {
        return result(send(type, fields, false));
    }

    /** The one terminal message: what comes after its answer is of no concern. */
    void end(Map<String, ?> body) throws IOException {
        result(send((String) body.get("type"), body, true));
    }

    synchronized CompletableFuture<Map<?, ?>> send(String type, Map<String, ?> fields, boolean last)
            throws IOException {
        Map<String, Object> body = new HashMap<>(fields);
        body.put("type", type);
        long id = ++nextId;
        List<Object> parts = carrier == null ? Arrays.asList(id, body) : Arrays.asList(id, body, carrier);
        byte[] payload = Wire.encode(parts);
        CompletableFuture<Map<?, ?>> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        lastId = last ? id : lastId;
        // One write: a length on its own would wait for the other side's acknowledgement.
        out.write(ByteBuffer.allocate(4 + payload.length).putInt(payload.length).put(payload).array());
        return answer;
    }

    /** Waits for an answer, and tells a result, which is empty for many requests, from an error. */
    static Map<?, ?> result(CompletableFuture<Map<?, ?>> answer) throws IOException {
        Map<?, ?> body = answer.join();
        if ("ErrorResponse".equals(body.get("type"))) {
            throw new IOException(body.get("error") + ": " + body.get("detail"));
        }
        return body;
    }

    /** Without a supervisor nothing can be reported: the process ends, not with 0. */
    private void listen() {
        try {
            while (true) {
                if (deliver(receive())) {
                    return;
                }
            }
        } catch (IOException | RuntimeException lost) {
            System.err.println("nothing more can be reported: " + lost);
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
    }

    private List<?> receive() throws IOException {
        int length = in.readInt();
        if (length <= 0 || length > MAX_FRAME_BYTES) {
            throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        return (List<?>) Wire.decode(payload);
    }

    /** Gives an answer to who waits for it, in whatever order they come; true after the last one. */
    private synchronized boolean deliver(List<?> frame) {
        long id = (Long) frame.get(0);
        Map<?, ?> body = frame.size() > 1 ? (Map<?, ?>) frame.get(1) : null;
        if (frame.size() > 2 && frame.get(2) instanceof Map<?, ?> error) { // errors come in both places
            Map<String, Object> refusal = new HashMap<>();
            error.forEach((key, value) -> refusal.put((String) key, value));
            refusal.put("type", "ErrorResponse");
            body = refusal;
        }
        CompletableFuture<Map<?, ?>> answer = waiting.remove(id);
        if (answer != null) { // what nobody asked for is ignored
            answer.complete(Optional.<Map<?, ?>>ofNullable(body).orElse(Map.of()));
        }
        return id == lastId;
    }
}
