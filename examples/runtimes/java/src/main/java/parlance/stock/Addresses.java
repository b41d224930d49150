package parlance.stock;

import java.io.IOException;
import java.net.Socket;

/** {@code HOST:PORT} as the supervisor writes it. */
public final class Addresses {
    private Addresses() {}

    public static Socket connect(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(address + " is no HOST:PORT");
        }
        Socket socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setTcpNoDelay(true);
        return socket;
    }
}
