import java.io.DataInputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/** The smallest runtime there is, without any library: what it does is the property "does". */
public final class Probe {
    private static DataInputStream in;
    private static OutputStream out;
    private static OutputStream logs;
    private static int nextId = 0;

    public static void main(String[] args) throws Exception {
        Socket comm = connect(args, "--comm=");
        logs = connect(args, "--logs=").getOutputStream();
        in = new DataInputStream(comm.getInputStream());
        out = comm.getOutputStream();
        receive(); // StartupDetails
        log("on Java " + System.getProperty("java.version"));
        switch (System.getProperty("does")) {
            case "succeed" -> {
                ask("type", "SetXCom", "key", "return_value", "dag_id", "d", "run_id", "r", "task_id", "t",
                        "value", "caf\u00e9");
                succeed();
            }
            case "fail" -> ask("type", "TaskState", "state", "failed", "end_date", Instant.now().toString());
            case "throw" -> throw new IllegalStateException("thrown by the task");
            case "exit" -> System.exit(7);
            case "starve" -> System.out.println(new byte[1 << 30].length);
            case "wait" -> forEver("waiting");
            case "stubborn" -> {
                // A shutdown hook that never ends keeps the machine up after SIGTERM.
                Runtime.getRuntime().addShutdownHook(new Thread(() -> forEver("hooked")));
                forEver("waiting");
            }
            case "linger" -> {
                new Thread(() -> forEver("lingering")).start();
                succeed();
            }
            case "leave" -> {
                Process child = new ProcessBuilder("sleep", "1000").start();
                log("left " + child.pid());
                succeed();
                Runtime.getRuntime().halt(0);
            }
            default -> throw new IllegalArgumentException("no such deed");
        }
    }

    private static void succeed() throws Exception {
        ask("type", "SucceedTask", "end_date", Instant.now().toString());
    }

    private static void forEver(String said) {
        try {
            log(said);
            new CountDownLatch(1).await();
        } catch (Exception interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static Socket connect(String[] args, String flag) throws Exception {
        for (String arg : args) {
            if (!arg.startsWith(flag)) continue;
            String[] address = arg.substring(flag.length()).split(":");
            return new Socket(address[0], Integer.parseInt(address[1]));
        }
        throw new IllegalArgumentException("no " + flag);
    }

    private static synchronized void log(String event) throws Exception {
        logs.write(("{\"level\":\"info\",\"event\":\"" + event + "\"}\n").getBytes(StandardCharsets.UTF_8));
    }

    /** A frame of {@code [id, {key: text, …}]}. */
    private static void ask(String... texts) throws Exception {
        ByteBuffer payload = ByteBuffer.allocate(4096).put((byte) 0x92).put((byte) nextId++);
        payload.put((byte) (0x80 + texts.length / 2));
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            payload.put((byte) 0xd9).put((byte) bytes.length).put(bytes);
        }
        byte[] frame = new byte[4 + payload.position()];
        ByteBuffer.wrap(frame).putInt(payload.position()).put(payload.array(), 0, payload.position());
        out.write(frame);
        receive();
    }

    private static void receive() throws Exception {
        in.readNBytes(in.readInt());
    }
}
