package parlance.conformance;

/** Fails a task: tried again after a delay of its own, or never. */
final class RetryException extends Exception {
    private static final long serialVersionUID = 1;

    /** Null: never. */
    final Double afterSeconds;

    RetryException(String message, Double afterSeconds) {
        super(message);
        this.afterSeconds = afterSeconds;
    }
}
