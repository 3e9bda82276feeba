/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

/** The JSON of the page is flat, whatever parts the records have; its scripts read these names. */
final class RunPictureTest {
    private final JsonNode json = RunPicture.JSON.valueToTree(new SimulatedRun(2, 2)
            .pass(500)
            .resume()
            .pass(1000)
            .fail(3)
            .resume()
            .picture());

    @Test
    void picture() {
        assertThat(names(json)).isEqualTo("now run nodes ranks rounds incidents incidentsSince commands");
    }

    @Test
    void run() {
        assertThat(names(json.at("/run")))
                .isEqualTo("id answeredBy coordinator policy state outcome rootCause words minNodes maxNodes round"
                        + " worldSize roundNodes restartsUsed restartsAllowed restartsWithin restartsBackMs step total stepsPerSecond etaSeconds"
                        + " checkpoint goodput");
    }

    @Test
    void round() {
        assertThat(names(json.at("/rounds/0")))
                .isEqualTo("number cause suspended joined worldSize sealed published resumed broken paused members");
    }

    @Test
    void incident() {
        assertThat(names(json.at("/incidents/0")))
                .isEqualTo("number fromRound toRound kind words ranks began over stalledMillis hardMillis stepsLost"
                        + " phases");
    }

    private static String names(JsonNode object) {
        Iterator<String> names = object.fieldNames();
        return String.join(" ", (Iterable<String>) () -> names);
    }
}
