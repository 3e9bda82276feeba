/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Predicate;

/** Which events a command is to show. */
public final class EventFilter implements Predicate<LoggedEvent> {
    private final Optional<String> node;
    private final Optional<String> kind;
    private final Optional<Instant> since;

    private EventFilter(Optional<String> node, Optional<String> kind, Optional<Instant> since) {
        this.node = node;
        this.kind = kind;
        this.since = since;
    }

    /** @throws UsageException when a time cannot be understood */
    public static EventFilter of(Invocation call, Clock clock) {
        return new EventFilter(
                call.value("--node"),
                call.value("--kind"),
                call.value("--since").map(text -> instant(text, clock)));
    }

    /** A node by the start of its name, a kind by the start of it. */
    @Override
    public boolean test(LoggedEvent event) {
        return node.map(start -> event.node().startsWith(start)).orElse(true)
                && kind.map(start -> event.kind().startsWith(start)).orElse(true)
                && since.map(first -> !event.time().isBefore(first)).orElse(true);
    }

    private static Instant instant(String text, Clock clock) {
        try {
            return text.contains("T") ? Instant.parse(text) : clock.instant().minus(SettingTexts.duration(text));
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw UsageException.of("--since", text, "how long ago, like 10m, or a time like 2026-01-31T12:00:00Z");
        }
    }
}
