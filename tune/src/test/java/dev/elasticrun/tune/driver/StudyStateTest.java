/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.store.StudyKeys;
import dev.elasticrun.tune.trial.PoolTimeline;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;
import dev.elasticrun.worker.contract.TrialFiles;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StudyStateTest {
    private final StudyKeys keys = StudyKeys.of("s");
    private final List<KeyValue> written = new ArrayList<>();

    @Test
    void driverThatReadsAllBack_knowsWhatTheOneBeforeKnew_howeverTheKeysAreOrdered() {
        begin(1);
        begin(2);
        report(1, 1, 0.5);
        report(2, 1, 0.4);
        report(1, 2, 0.3);
        begin(3);
        report(3, 1, 0.45);
        put(keys.control(3), new TrialFiles.Control(1, true).bytes());
        put(keys.end(3, "agent"), StudyCodec.end(""));
        put(keys.result(3), StudyCodec.end(""));
        report(3, 1, 0.1);

        StudyState live = state();
        written.forEach(live::apply);
        for (int seed = 0; seed < 20; seed++) {
            List<KeyValue> shuffled = new ArrayList<>(written);
            Collections.shuffle(shuffled, new Random(seed));
            StudyState read = state();
            read.load(shuffled);
            assertThat(read.table().trials().stream().map(StudyStateTest::text))
                    .containsExactlyElementsOf(live.table().trials().stream()
                            .map(StudyStateTest::text)
                            .toList());
        }
        assertThat(live.table().trials().stream().map(StudyStateTest::text))
                .containsExactly(
                        "1 RUNNING {1=0.5, 2=0.3} Control[until=3, stop=false]",
                        "2 RUNNING {1=0.4} Control[until=3, stop=false]",
                        "3 STOPPED {1=0.45} Control[until=1, stop=true]");
    }

    @Test
    void trial_hasEnded_whenAllItsLiveAgentsReportIt() {
        begin(1);
        put(keys.end(1, "a"), StudyCodec.end("exit code 1"));
        StudyState state = state();
        state.load(written);

        assertThat(state.end(1, List.of("a", "b"))).isEmpty();
        assertThat(state.end(1, List.of("a"))).contains("exit code 1");
        assertThat(state.end(1, List.of())).as("b has died").contains("exit code 1");

        put(keys.end(1, "b"), StudyCodec.end(""));
        state.apply(written.get(written.size() - 1));
        assertThat(state.end(1, List.of("a", "b"))).as("one saw it succeed").contains("");
    }

    @Test
    void control_isWrittenWhenItChanges() {
        begin(1);
        StudyState state = state();
        state.load(written);
        Trial trial = state.table().trial(1).orElseThrow();
        assertThat(state.isToBeControlled(trial)).isTrue();

        put(keys.control(1), trial.control().bytes());
        state.apply(written.get(written.size() - 1));
        assertThat(state.isToBeControlled(trial)).isFalse();
    }

    @Test
    void pool_isKnownAsItChanged_alsoIfAChangeIsSeenTwice() {
        SortedMap<String, Integer> idle = new TreeMap<>(Map.of("a", 0));
        SortedMap<String, Integer> working = new TreeMap<>(Map.of("a", 1, "b", 1));
        StudyState state = state();
        assertThat(state.table().pool().nextNumber()).isOne();
        assertThat(state.table().pool().isNewest(new TreeMap<>())).isTrue();

        put(keys.pool(1), StudyCodec.pool(Instant.EPOCH, idle));
        put(keys.pool(2), StudyCodec.pool(Instant.EPOCH.plusMillis(1500), working));
        state.load(written);
        state.apply(written.get(1));

        assertThat(state.table().pool().moments())
                .containsExactly(
                        new PoolTimeline.Moment(Instant.EPOCH, idle),
                        new PoolTimeline.Moment(Instant.EPOCH.plusMillis(1500), working));
        assertThat(state.table().pool().nextNumber()).isEqualTo(3);
        assertThat(state.table().pool().isNewest(working)).isTrue();
        assertThat(state.table().pool().isNewest(idle)).isFalse();
    }

    private static String text(Trial trial) {
        return trial.number() + " " + trial.phase() + " " + trial.curve().losses() + " " + trial.control();
    }

    private StudyState state() {
        return new StudyState(keys, new TrialTable(new Objective("loss", Objective.Mode.MIN), new AshaRule(1, 3)));
    }

    private void begin(int trial) {
        put(keys.parameters(trial), "{}".getBytes(StandardCharsets.UTF_8));
    }

    private void report(int trial, long step, double loss) {
        put(keys.report(trial, "agent", written.size()), new TrialFiles.Report(step, Map.of("loss", loss)).line());
    }

    private void put(String key, byte[] value) {
        long revision = written.size() + 1L;
        written.add(new KeyValue(key, value, revision, revision, 0));
    }
}
