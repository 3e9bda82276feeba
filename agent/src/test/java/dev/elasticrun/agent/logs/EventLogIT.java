/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.events.RunEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class EventLogIT {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

    @TempDir
    Path directory;

    @Test
    void append_event_isOneLineWithAllFields() throws Exception {
        Path file = directory.resolve("logs/events.jsonl");
        try (EventLog log = open(file)) {
            log.append(new RunEvent.WorkersStuck(List.of(1, 2), "in the kernel"), 3, 0);
        }

        assertThat(Files.readString(file))
                .startsWith(
                        "{\"schema\":2,\"run\":\"r\",\"incarnation\":\"i\",\"node\":\"n\",\"round\":3,\"incident\":null,"
                                + "\"nanos\":77,\"time\":\"2026-01-02T03:04:05Z\",\"kind\":\"workers.stuck\",")
                .endsWith("}\n");
        JsonNode event = read(file).get(0);
        assertThat(event.get("slots").get(1).asInt()).isEqualTo(2);
        assertThat(event.get("message").asText()).isEqualTo("in the kernel");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void append_manyEventsAndTwoLogs_keepsTheOrderAndAppends() throws Exception {
        Path file = directory.resolve("events.jsonl");
        for (int part = 0; part < 2; part++) {
            try (EventLog log = open(file)) {
                for (int i = 0; i < 1000; i++) {
                    log.append(new RunEvent.RunWaiting("for " + i), i, 1);
                }
            }
        }

        List<JsonNode> events = read(file);
        assertThat(events).hasSize(2000);
        assertThat(events.get(1999).get("round").asInt()).isEqualTo(999);
        assertThat(events.get(0).get("message").asText()).isEqualTo("for 0");
    }

    @Test
    void append_afterClose_isIgnored() throws Exception {
        EventLog log = open(directory.resolve("events.jsonl"));
        log.close();
        log.append(new RunEvent.LogsWell(), 0, 0);

        assertThat(read(directory.resolve("events.jsonl"))).isEmpty();
    }

    @Test
    void append_diskFull_doesNotReachTheCaller() throws Exception {
        try (EventLog log = open(Path.of("/dev/full"))) {
            log.append(new RunEvent.LogsWell(), 0, 0);
        }
    }

    private static EventLog open(Path file) throws Exception {
        return EventLog.open(file, new EventLog.Origin("r", "i", "n"), CLOCK, () -> 77, (time, line) -> {});
    }

    private static List<JsonNode> read(Path file) throws Exception {
        ObjectMapper json = new ObjectMapper();
        List<JsonNode> events = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            events.add(json.readTree(line));
        }
        return events;
    }
}
