/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.LoggedEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recovery and a return, read out of two logs as agents write them. Times are in milliseconds. */
final class RecoveryTest {
    private final AgentLog survivor = new AgentLog();
    private final AgentLog failing = new AgentLog();

    @Test
    void readsPhasesOfARecoveryAndOfTheReturn() {
        for (AgentLog log : List.of(survivor, failing)) {
            started(log, 0, 100, 10);
            started(log, 1, 101, 11);
            line(log, 200, "round.sealed", 1, "");
            resumed(log, 0, 100, 1, 300);
            resumed(log, 1, 101, 1, 310);
        }
        line(failing, 1004, "worker.failed", 1, "");
        line(failing, 1005, "worker.exited", 1, ", \"slot\": 0, \"pid\": 100");
        line(survivor, 1006, "round.decided", 1, "");
        line(survivor, 1007, "incident.paused", 1, "");
        line(survivor, 1008, "round.sealed", 2, "");
        line(survivor, 1009, "work.published", 2, ", \"slot\": 0");
        line(survivor, 1010, "work.published", 2, ", \"slot\": 1");
        line(survivor, 1011, "pause.acknowledged", 1, ", \"slot\": 0");
        line(survivor, 1012, "pause.acknowledged", 1, ", \"slot\": 1");
        resumed(survivor, 1, 101, 2, 1025);
        assertThat(survivor.resumedAfter(1)).hasSize(1);
        resumed(survivor, 0, 100, 2, 1020);

        Recovery recovery = Recovery.of(1000_000_000L, 1, survivor, List.of(failing, survivor));

        assertThat(recovery).isEqualTo(new Recovery(4, 8, 10, 12, 25));
        assertThat(failing.running()).hasSize(1);

        started(failing, 0, 200, 1100);
        started(failing, 1, 201, 1101);
        line(failing, 1600, "worker.ready", 2, ", \"slot\": 0");
        line(failing, 1650, "worker.ready", 2, ", \"slot\": 1");
        line(survivor, 1700, "incident.paused", 2, "");
        line(survivor, 1710, "work.published", 3, "");
        resumed(survivor, 0, 100, 3, 1720);
        resumed(survivor, 1, 101, 3, 1721);
        resumed(failing, 0, 200, 3, 1722);
        resumed(failing, 1, 201, 3, 1730);

        assertThat(Return.of(1000_000_000L, 1025_000_000L, survivor, failing)).isEqualTo(new Return(650, 80, 21));
        assertThat(failing.running()).extracting(AgentLog.Slot::pid).containsExactly(200L, 201L);
    }

    private static void started(AgentLog log, int slot, long pid, long millis) {
        line(log, millis, "worker.started", 0, ", \"slot\": " + slot + ", \"pid\": " + pid);
    }

    private static void resumed(AgentLog log, int slot, long pid, long round, long millis) {
        String fields = ", \"slot\": " + slot + ", \"pid\": " + pid + ", \"worker_nanos\": " + millis + "000000";
        line(log, millis + 3, "worker.resumed", round, fields);
    }

    private static void line(AgentLog log, long millis, String kind, long round, String fields) {
        log.add(LoggedEvent.parse("{\"run\": \"demo\", \"node\": \"a-1\", \"round\": " + round + ", \"nanos\": "
                + millis + "000000, \"kind\": \"" + kind + "\"" + fields + "}"));
    }
}
