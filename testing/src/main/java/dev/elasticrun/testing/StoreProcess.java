/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.cli.agents.AgentLine;
import dev.elasticrun.cli.agents.LauncherCommand;
import dev.elasticrun.cli.agents.StatusSource;
import dev.elasticrun.proto.StatusReply;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process of a {@link NetworkStore}, which ends when it is closed and with this JVM. One thread asks it for the status
 * of the run.
 */
final class StoreProcess implements StatusSource {
    private static final Duration END = Duration.ofSeconds(10);

    private final Process process;
    private final DataInputStream answers;
    private final List<String> options;

    private StoreProcess(Process process) throws IOException {
        this.process = process;
        this.answers = new DataInputStream(process.getInputStream());
        int count = answers.readInt();
        List<String> read = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            read.add(answers.readUTF());
        }
        this.options = List.copyOf(read);
    }

    /**
     * Returns when it serves.
     *
     * @param variables of its environment, beside those of this process
     * @throws IllegalStateException if it does not; names the file with what it wrote
     */
    static StoreProcess start(TestNetwork network, AgentLine line, Map<String, String> variables, Path directory) {
        Path log = directory.resolve("store.log");
        List<String> command = new ArrayList<>(network.enter());
        command.addAll(LauncherCommand.java(NetworkStore.class.getName()));
        command.addAll(List.of(
                directory.toString(),
                TestNetwork.STORE,
                line.runId(),
                line.logDirectory().toString()));
        command.addAll(line.line());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putAll(variables);
        Process process = null;
        try {
            process = builder.start();
            return new StoreProcess(process);
        } catch (IOException e) {
            end(process);
            throw new IllegalStateException("cannot serve a store on the network of the test; see " + log, e);
        }
    }

    /** Flags by which agents reach the store. */
    List<String> options() {
        return options;
    }

    @Override
    public Optional<StatusReply> ask() {
        try {
            OutputStream questions = process.getOutputStream();
            questions.write(NetworkStore.ASK);
            questions.flush();
            return answers.readBoolean()
                    ? Optional.ofNullable(StatusReply.parseDelimitedFrom(answers))
                    : Optional.empty();
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        end(process);
    }

    private static void end(@Nullable Process process) {
        if (process == null) {
            return;
        }
        try {
            process.getOutputStream().close();
            process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            // It has ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
