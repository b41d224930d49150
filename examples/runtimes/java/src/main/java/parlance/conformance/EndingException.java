package parlance.conformance;

import java.util.Map;

/** Ends a task with a message of its own instead of success. */
final class EndingException extends Exception {
    private static final long serialVersionUID = 1;

    final transient Map<String, ?> body;

    EndingException(Map<String, ?> body) {
        super("the task ended itself");
        this.body = body;
    }
}
