/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/** The events of a node in a run of many incidents, as its agent writes them. */
public final class LongRun implements AutoCloseable {
    /** Events of one incident. */
    public static final int EVENTS = 20;

    private final BufferedWriter file;
    private final String node;
    private long nanos;

    public LongRun(Path run, String node) throws IOException {
        this.node = node;
        Path directory = Files.createDirectories(run.resolve(node));
        this.file = Files.newBufferedWriter(
                directory.resolve("events.jsonl"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        write(0, "run.joined", "\"host\":\"h\",\"policy\":\"soft\",\"max_restarts\":9999");
    }

    /** The incident, and the round that answers it: a worker fails, and one takes its place. */
    public void incident(long number) throws IOException {
        if (number > 1) {
            write(
                    number - 1,
                    "worker.failed",
                    "\"slot\":0,\"rank\":1,\"attempt\":0,\"pid\":7,\"exit_code\":3,"
                            + "\"how\":\"exit_code\",\"message\":\"exit code 3\"");
        }
        write(number, "incident.paused", "\"cause\":\"worker failed\",\"paused_round\":" + (number - 1));
        write(
                number,
                "round.sealed",
                "\"world_size\":2,\"nodes\":[\"" + node + "\"],\"cause\":\"worker failed on " + node + "\"");
        write(number, "work.published", "\"cause\":\"worker failed on " + node + "\",\"rank\":0,\"world_size\":2");
        for (int i = 4; i < EVENTS; i++) {
            write(
                    number,
                    "worker.resumed",
                    "\"slot\":" + i + ",\"attempt\":0,\"resumed_round\":" + number + ",\"version\":" + number);
        }
    }

    private void write(long incident, String kind, String fields) throws IOException {
        nanos += 1_000_000;
        file.write("{\"run\":\"run\",\"incarnation\":\"i\",\"node\":\"" + node + "\",\"round\":" + incident
                + ",\"incident\":\"" + incident + "\",\"nanos\":" + nanos + ",\"time\":\""
                + Instant.EPOCH.plusNanos(nanos) + "\",\"kind\":\"" + kind + "\"," + fields + "}\n");
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
