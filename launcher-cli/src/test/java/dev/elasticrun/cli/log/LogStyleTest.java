/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LogStyleTest {
    private static final Instant TIME = Instant.parse("2026-07-02T03:04:05.067Z");
    private static final LogOrigin ORIGIN = new LogOrigin("demo", "a-1");

    @Test
    void text_beginsWithDateTimeAndOffset() {
        assertThat(new TextStyle(ZoneOffset.UTC, false).line(TIME, Level.WARN, "it is late", ""))
                .isEqualTo("2026-07-02T03:04:05.067Z WARN it is late" + System.lineSeparator());
        assertThat(new TextStyle(ZoneId.of("Europe/Zurich"), false).line(TIME, Level.INFO, "it is late", ""))
                .startsWith("2026-07-02T05:04:05.067+02:00 INFO ");
    }

    @Test
    void text_controlCharactersOfAMessage_areVisible_andAStackIsIndented() {
        assertThat(new TextStyle(ZoneOffset.UTC, true).line(TIME, Level.ERROR, "a\u001b[2J", "E: x\n\tat y"))
                .contains("a\\u001b[2J")
                .contains(System.lineSeparator() + "    E: x");
    }

    @Test
    void text_coloursTheLevelOnly() {
        String line = new TextStyle(ZoneOffset.UTC, true).line(TIME, Level.WARN, "it is late", "");

        assertThat(line).contains(" \u001b[33;1mWARN\u001b[0m it is late");
    }

    @Test
    void json_isOneObjectInOneLine() throws Exception {
        String line = new JsonStyle(ZoneOffset.UTC, () -> Optional.of(ORIGIN))
                .line(TIME, Level.ERROR, "two\nlines", "E: x\n\tat y");

        assertThat(line.strip().lines()).hasSize(1);
        JsonNode json = new ObjectMapper().readTree(line);
        assertThat(json.path("time").asText()).isEqualTo("2026-07-02T03:04:05.067Z");
        assertThat(json.path("level").asText()).isEqualTo("ERROR");
        assertThat(json.path("run").asText()).isEqualTo("demo");
        assertThat(json.path("node").asText()).isEqualTo("a-1");
        assertThat(json.path("message").asText()).isEqualTo("two\nlines");
        assertThat(json.path("stack").asText()).isEqualTo("E: x\n\tat y");
    }

    @Test
    void json_beforeTheRunHasAName_hasNone() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(new JsonStyle(ZoneOffset.UTC, Optional::empty).line(TIME, Level.INFO, "hello", ""));

        assertThat(json.fieldNames()).toIterable().containsExactly("time", "level", "message");
    }
}
