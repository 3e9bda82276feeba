/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.agent.process.StderrTail;
import dev.elasticrun.rendezvous.record.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is reported of a worker that hangs, and saved before anything is done about it. */
final class HangReport {
    private static final Logger LOG = LoggerFactory.getLogger(HangReport.class);

    private HangReport() {}

    /** Looks at the process and writes {@code hang.txt} beside its logs. Takes up to some seconds. */
    static Failure.Evidence save(Finding hang, HangWatch.Target target) throws IOException, InterruptedException {
        // The thread dump goes to standard output: the lines before it are the worker's last output.
        List<String> lastOutput = StderrTail.read(target.stdout());
        boolean stopped = isStopped(target.pid());
        ThreadDump dump =
                stopped || !hang.seen().isJvm() ? new ThreadDump("") : ThreadDump.take(target.pid(), target.stdout());
        List<String> frames = dump.framesOf(hang.seen().thread());
        String message = describe(hang, stopped, dump, frames);
        Path file = file(target);
        List<String> lines = new ArrayList<>(List.of(message, ""));
        lines.addAll(section("last lines of standard output", lastOutput));
        lines.addAll(section("last lines of standard error", StderrTail.read(target.stderr())));
        lines.addAll(section("threads", dump.text().lines().toList()));
        Files.write(file, lines);
        return new Failure.Evidence(hang.kind(), message, String.join("\n", frames), List.of(), "", file.toString());
    }

    /** The worker does not hang after all. */
    static void discard(HangWatch.Target target) {
        try {
            Files.deleteIfExists(file(target));
        } catch (IOException e) {
            LOG.warn("{} is of a worker that does not hang: {}", file(target), e.toString());
        }
    }

    private static Path file(HangWatch.Target target) {
        return target.stdout().resolveSibling("hang.txt");
    }

    static String describe(Finding hang, boolean stopped, ThreadDump dump, List<String> frames) {
        StringBuilder text = new StringBuilder("hang: " + hang.words());
        if (stopped) {
            text.append("; its process is stopped (SIGSTOP)");
        } else if (dump.hasDeadlock()) {
            text.append("; threads wait for each other (deadlock)");
        } else if (hang.seen().isJvm() && dump.text().isEmpty()) {
            text.append("; its JVM does not answer");
        }
        frame(frames).ifPresent(frame -> text.append("; thread ")
                .append(hang.seen().thread())
                .append(' ')
                .append(frame));
        return text.toString();
    }

    /** The innermost call that is not the JDK's, else the innermost one. */
    private static Optional<String> frame(List<String> frames) {
        List<String> calls = frames.stream()
                .map(String::strip)
                .filter(line -> line.startsWith("at "))
                .toList();
        return calls.stream()
                .filter(call -> !call.startsWith("at java.") && !call.startsWith("at jdk."))
                .findFirst()
                .or(() -> calls.stream().findFirst());
    }

    private static List<String> section(String title, List<String> lines) {
        List<String> all = new ArrayList<>();
        all.add("--- " + title + (lines.isEmpty() ? ": none" : ""));
        all.addAll(lines);
        all.add("");
        return all;
    }

    /** "pid (name) state ...", where the name may hold anything. */
    static boolean isStopped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state == 'T' || state == 't';
        } catch (IOException gone) {
            return false;
        }
    }
}
