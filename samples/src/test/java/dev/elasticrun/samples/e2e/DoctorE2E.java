/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.NetworkNode;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Doctors on hosts of their own: addresses that they find by themselves, encrypted calls, and a link that is cut. */
@Tag("soak")
@Timeout(180)
final class DoctorE2E {
    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(2);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @Test
    void two_onHostsOfTheirOwn_reachEachOther() {
        List<Command.Result> results = doctors("--checkpoint-size", "1m");

        for (int i = 0; i < 2; i++) {
            Command.Result result = results.get(i);
            assertThat(result.exitCode()).as(result::output).isZero();
            assertThat(result.json().path("address").asText())
                    .isEqualTo(LAB.node(i).address());
            assertThat(result.json().at("/peers/0/address").asText())
                    .startsWith(LAB.node(1 - i).address() + ":");
        }
    }

    @Test
    void two_whoseLinkIsCut_reportWhichNodeIsNotReached() {
        NetworkNode.cut(LAB.node(0), LAB.node(1));

        List<Command.Result> results = doctors();

        for (int i = 0; i < 2; i++) {
            Command.Result result = results.get(i);
            assertThat(result.exitCode()).as(result::output).isOne();
            String other = LAB.node(1 - i).address();
            assertThat(errors(result.json()))
                    .singleElement()
                    .satisfies(error -> assertThat(error.path("found").asText()).startsWith("at " + other + ":"));
        }
    }

    private static List<JsonNode> errors(JsonNode report) {
        return StreamSupport.stream(report.path("checks").spliterator(), false)
                .filter(check -> check.path("health").asText().equals("error"))
                .toList();
    }

    private List<Command.Result> doctors(String... more) {
        List<CompletableFuture<Command.Result>> started = IntStream.range(0, 2)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> doctor(LAB.node(i), more)))
                .toList();
        return started.stream().map(CompletableFuture::join).toList();
    }

    private Command.Result doctor(NetworkNode node, String... more) {
        List<String> command = new ArrayList<>(node.enter());
        command.addAll(List.of(Project.LAUNCHER.toString(), "doctor", "--json", "--nnodes", "2", "--wait", "60s"));
        command.addAll(run.onEtcd(more));
        return Command.run(Map.of(), TestRun.LIMIT, command);
    }
}
