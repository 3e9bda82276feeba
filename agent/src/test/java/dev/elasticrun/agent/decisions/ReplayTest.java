/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.plan.PlannerFixture;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ReplayTest {
    private static final DecisionLine.Stamp STAMP = new DecisionLine.Stamp("run", "i", "a", 2, Instant.EPOCH);

    @Test
    void run_bySamePolicy_isTheSameDecision() {
        Replayed replayed = replay(Optional.empty(), failed());

        assertThat(replayed.isSame()).isTrue();
        assertThat(replayed.replayed()).isEqualTo(replayed.recorded());
        assertThat(replayed.decides()).isTrue();
    }

    @Test
    void run_byAnotherRule_namesTheFieldsThatDiffer() {
        Replayed replayed = replay(Optional.of("soft-replace"), failed());

        assertThat(replayed.policy()).isEqualTo("soft-no-replace");
        assertThat(replayed.replayedBy()).isEqualTo("soft-replace");
        assertThat(replayed.differences())
                .extracting(Difference::field)
                .contains("plan.decision.round.suspended", "advice[0].decision.restart", "advice[0].decision.replace");
    }

    @Test
    void run_byAPolicyThatOnlyChargesOtherwise_namesTheCharge() {
        Replayed replayed = new Replay(Optional.of(new FreeOfCharge()), "").run(line(failed()));

        assertThat(replayed.differences())
                .extracting(Difference::field)
                .contains("plan.decision.round.ledger.used.total", "advice[0].decision.charge")
                .doesNotContain("plan.decision.round.suspended");
    }

    @Test
    void of_unknownPolicy_namesIt() {
        assertThatThrownBy(() -> Replay.of("--policy", Optional.of("nicer"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--policy: nicer (expected: soft or one of ");
    }

    @Test
    void run_recordedPolicyIsNotKnownHere_namesIt() {
        PlannerCall failed = failed();
        PlannerCall foreign =
                new PlannerCall(failed.config(), "of-a-user", failed.given(), failed.advice(), failed.plan());

        assertThatThrownBy(() -> replay(Optional.empty(), foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of-a-user");
    }

    @Test
    void run_lineWithoutAnyOneOfItsFields_isReplayedOrRefused() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        String line = line(failed()).json();
        int refused = 0;
        for (JsonPointer field : fields(mapper.readTree(line), JsonPointer.empty())) {
            JsonNode damaged = mapper.readTree(line);
            ((ObjectNode) damaged.at(field.head())).remove(field.last().getMatchingProperty());
            try {
                new Replay(Optional.empty(), "").run(DecisionLine.parse(damaged.toString()));
            } catch (IllegalArgumentException expected) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private static List<JsonPointer> fields(JsonNode node, JsonPointer at) {
        List<JsonPointer> found = new ArrayList<>();
        node.properties().forEach(field -> {
            JsonPointer inner = at.appendProperty(field.getKey());
            found.add(inner);
            found.addAll(fields(field.getValue(), inner));
        });
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            found.addAll(fields(node.get(i), at.appendIndex(i)));
        }
        return found;
    }

    @Test
    @Tag("golden")
    void text_ofEachKindOfCall_isAsInTheGoldenFile() throws IOException {
        GoldenFile golden = GoldenFile.of(ReplayTest.class, "replayed.txt");
        golden.add("a run begins", text(PlannerFixture.soft(2, 2, 3).call(), Optional.empty()));
        golden.add("a worker failed", text(failed(), Optional.empty()));
        golden.add("the same by a policy that restarts all", text(failed(), Optional.of("hard")));
        PlannerFixture used = PlannerFixture.soft(2, 2, 0).running("a", "b");
        used.node("b").fails();
        golden.add("a worker failed without restarts", text(used.call(), Optional.of("soft-elastic")));
        golden.assertSame();
    }

    private static String text(PlannerCall call, Optional<String> policy) {
        Replayed replayed = replay(policy, call);
        return String.join("\n", replayed.known()) + "\n" + String.join("\n", replayed.answers()) + "\n"
                + replayed.recorded() + "\n" + replayed.replayed() + "\n"
                + replayed.differences().stream()
                        .map(one -> one.field() + ": " + one.recorded() + " / " + one.replayed())
                        .collect(Collectors.joining("\n"));
    }

    private static PlannerCall failed() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("b").fails();
        return run.call();
    }

    private static Replayed replay(Optional<String> policy, PlannerCall call) {
        return Replay.of("--policy", policy, "").run(line(call));
    }

    private static DecisionLine line(PlannerCall call) {
        return DecisionLine.parse(new DecisionLine(STAMP, call).json());
    }
}
