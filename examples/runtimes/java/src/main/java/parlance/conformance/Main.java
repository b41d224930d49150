package parlance.conformance;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A runtime for the cases of Parlance's conformance kit: {@code Main --comm=HOST:PORT --logs=HOST:PORT}. */
public final class Main {
    private static final AtomicBoolean ENDS = new AtomicBoolean();

    private Main() {}

    public static void main(String[] args) throws Exception {
        Log log = new Log();
        for (int n = 0; n < 3; n++) {
            log.info("early", Map.of("n", n));
        }
        Link link = new Link(address(args, "--comm="));
        log.connect(address(args, "--logs="));
        Map<?, ?> first = link.first();
        if ("DagFileParseRequest".equals(first.get("type"))) { // Airflow 3.4 asks every bundle: no Dags here
            noDags(link, first);
            return;
        }
        Attempt attempt = new Attempt(link, log, first);
        // SIGTERM: whatever the handler does, the task ends.
        Thread stopped = new Thread(() -> end(attempt, new InterruptedException("stopped by SIGTERM")));
        Runtime.getRuntime().addShutdownHook(stopped);
        Throwable failure = null;
        try {
            attempt.perform();
        } catch (Exception | StackOverflowError | OutOfMemoryError thrown) {
            failure = thrown;
        }
        end(attempt, failure);
    }

    private static void noDags(Link link, Map<?, ?> request) throws Exception {
        Map<String, Object> body = new HashMap<>(Map.of("type", "DagFileParsingResult", "serialized_dags", List.of()));
        body.put("fileloc", request.get("file"));
        body.put("warnings", null);
        body.put("import_errors", null);
        link.end(body);
    }

    /** Once; who comes second waits for the process to be gone. */
    private static void end(Attempt attempt, Throwable failure) {
        while (!ENDS.compareAndSet(false, true)) {
            java.util.concurrent.locks.LockSupport.park();
        }
        int code = 1; // nothing could be reported
        try {
            attempt.report(failure);
            attempt.log.info("late", Map.of());
            code = 0;
        } catch (Exception lost) {
            System.err.println("the end of the task could not be reported: " + lost);
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    private static String address(String[] args, String flag) {
        for (int at = 0; at < args.length; at++) {
            if (args[at].startsWith(flag)) {
                return args[at].substring(flag.length());
            } else if (flag.equals(args[at] + "=") && at + 1 < args.length) {
                return args[at + 1];
            }
        }
        throw new IllegalArgumentException("no " + flag + "HOST:PORT: a supervisor starts this program");
    }
}
