package parlance.stock;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The link to the supervisor: frames of a 4-byte length and a MessagePack list {@code [id, body, error]}. */
final class SupervisorLink {
    /** A longer frame is taken for nonsense on the link. */
    private static final int MAX_FRAME_BYTES = 256 << 20;

    private final DataInputStream in;
    private final DataOutputStream out;
    private long nextId = 0;

    SupervisorLink(String address) throws IOException {
        Socket socket = Addresses.connect(address);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    /** The frame that the supervisor sends without being asked. */
    Map<?, ?> receiveFirst() throws IOException {
        return bodyOf(receive());
    }

    /**
     * Asks and waits for the answer, which is empty for many requests.
     *
     * @throws IOException the supervisor answered with an error
     * @throws LinkLostException no answer can come any more
     */
    Map<?, ?> ask(String type, Map<String, ?> fields) throws IOException {
        Map<String, Object> body = new HashMap<>(fields);
        body.put("type", type);
        long id = nextId++;
        send(Wire.encode(Arrays.asList(id, body)));
        List<?> frame = receive();
        if (!frame.get(0).equals(id)) {
            throw new LinkLostException("request " + id + " was answered as " + frame.get(0), null);
        }
        return bodyOf(frame);
    }

    private void send(byte[] payload) throws IOException {
        // One write: a header on its own would wait for the other side's acknowledgement.
        byte[] frame = java.nio.ByteBuffer.allocate(4 + payload.length).putInt(payload.length).put(payload).array();
        try {
            out.write(frame);
        } catch (IOException failure) {
            throw new LinkLostException("the supervisor takes no more", failure);
        }
    }

    private List<?> receive() throws IOException {
        byte[] payload;
        try {
            int length = in.readInt();
            if (length <= 0 || length > MAX_FRAME_BYTES) {
                throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
            }
            payload = in.readNBytes(length);
            if (payload.length < length) {
                throw new IOException("a frame was cut short");
            }
        } catch (IOException failure) {
            throw new LinkLostException("the supervisor has gone", failure);
        }
        return (List<?>) Wire.decode(payload);
    }

    /** Errors come in both places: as the third element, or as the body. */
    private static Map<?, ?> bodyOf(List<?> frame) throws IOException {
        Map<?, ?> body = (Map<?, ?>) frame.get(1);
        Map<?, ?> error = frame.size() > 2 ? (Map<?, ?>) frame.get(2) : null;
        if (error == null && body != null && "ErrorResponse".equals(body.get("type"))) {
            error = body;
        }
        if (error != null) {
            throw new IOException(error.get("error") + ": " + error.get("detail"));
        }
        return body == null ? Map.of() : body;
    }
}
