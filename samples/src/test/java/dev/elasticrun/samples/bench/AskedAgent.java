/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.samples.testing.Project;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** The agent that is asked for the status of many, in a JVM of its own that is started as the command starts it. */
final class AskedAgent implements AutoCloseable {
    private static final Path BUILT = Project.ROOT.resolve("launcher-cli/target");

    private final Process process;
    private final int port;

    private AskedAgent(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param others control ports of the other agents, which are nodes from 1 on */
    static AskedAgent start(List<Integer> others) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xms16m",
                "-Xmx128m",
                "-Dio.netty.allocator.type=unpooled",
                "-XX:SharedArchiveFile=" + BUILT.resolve("elastic-run.jsa"),
                "-Xlog:disable",
                "-cp",
                BUILT.resolve("elastic-run.jar") + ":" + Project.ROOT.resolve("samples/target/test-classes"),
                AskedAgent.class.getName()));
        others.forEach(port -> command.add(Integer.toString(port)));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String line = process.inputReader(StandardCharsets.US_ASCII).readLine();
            return new AskedAgent(process, Integer.parseInt(line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** @param others as above; ends with its standard input */
    public static void main(String[] others) throws IOException {
        ThreadEventLoop loop = new ThreadEventLoop("agent-loop", Throwable::printStackTrace);
        AtomicReference<List<NodeRecord>> run = new AtomicReference<>(List.of());
        StatusPeer self = new StatusPeer(0, loop, run::get, false);
        List<Integer> ports = Stream.concat(
                        Stream.of(self.port()), Stream.of(others).map(Integer::valueOf))
                .toList();
        List<NodeRecord> records = new ArrayList<>();
        ports.forEach(port -> records.add(StatusPeer.record(records.size(), port)));
        run.set(records);
        System.out.println(self.port());
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine();
        System.exit(0);
    }
}
