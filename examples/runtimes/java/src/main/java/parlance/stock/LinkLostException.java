package parlance.stock;

import java.io.IOException;

/** The supervisor can't be reached any more, so that nothing can be reported. */
final class LinkLostException extends IOException {
    private static final long serialVersionUID = 1;

    LinkLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
