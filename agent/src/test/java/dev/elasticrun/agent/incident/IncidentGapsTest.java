/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Logs that lack their beginning, or have lines that are no events. */
final class IncidentGapsTest extends ThreeNodesLog {
    @Test
    void logs_whoseBeginningIsGone_reportNothingOfWhatTheyDoNotHave() {
        cutLogs(6, 6);
        note("a-1", 6, 6, "command.received", "'command':'status'");

        assertThat(Incidents.of(events)).isEmpty();
        assertThat(Incidents.knownSince(events)).contains(events.get(0).time());
    }

    @Test
    void logs_whoseBeginningIsGone_reportWholeIncidentsOnly() {
        cutLogs(6, 6);
        fail("b-2", 6, 6, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        pause("a-1", 7, 7, 6);
        seal("a-1", 7, 7, "worker failed on b-2", 1, "a-1", "b-2");
        millis += 30;
        resume("a-1", 7, 7, 40);
        resume("b-2", 7, 7, 40);
        fail("b-2", 7, 7, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        pause("a-1", 8, 8, 7);
        seal("a-1", 8, 8, "worker failed on b-2", 2, "a-1", "b-2");
        resume("a-1", 8, 8, 41);
        resume("b-2", 8, 8, 41);
        fail("a-1", 8, 8, "'rank':0,'exit_code':1,'how':'exit_code','message':'exit code 1'");

        assertThat(Incidents.of(events))
                .extracting(IncidentReport::number, IncidentReport::outcome)
                .containsExactly(tuple(7L, Outcome.WENT_ON), tuple(8L, Outcome.WENT_ON), tuple(9L, Outcome.WAITS));
        assertThat(Incidents.of(events).get(1).answer().survivors())
                .as("processes whose starts are gone")
                .isEqualTo(2);
        assertThat(Incidents.of(events).get(0).answer().survivors()).isNotZero();
    }

    @Test
    void failure_inARoundWhoseEventsAreGone_isReported() {
        cutLogs(6, 6);
        fail("b-2", 6, 6, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");

        assertThat(last().number()).isEqualTo(7);
        assertThat(last().outcome()).isEqualTo(Outcome.WAITS);
    }

    @Test
    void lines_thatAreNoEvents_areLeftOut() {
        assertThat(LoggedEvent.parse("{\"kind\":\"a\"")).isEmpty();
        assertThat(LoggedEvent.parse("[1]")).isEmpty();
        assertThat(LoggedEvent.parse("null")).isEmpty();
        assertThat(LoggedEvent.parse("")).isEmpty();
    }

    /** The newest parts of the logs of two nodes, which were there long before. */
    private void cutLogs(long round, long incident) {
        events.clear();
        for (String node : List.of("a-1", "b-2")) {
            note(node, 0, 0, "log.continued", "'offset':50000000");
            note(node, round, incident, "store.well", "'message':'well'");
        }
    }
}
