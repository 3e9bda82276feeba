/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.scheduler.JobOption;
import dev.elasticrun.scheduler.Scheduler;
import dev.elasticrun.scheduler.SchedulerProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SchedulerArgumentsTest {
    @Test
    void parse_severalTexts_lastCounts_commasAreWrittenTwice() {
        assertThat(SchedulerArguments.parse(List.of("queue=a,limit=1", "limit=2,,3", "queue=x=y"), new FakeProvider()))
                .isEqualTo(Map.of("queue", "x=y", "limit", "2,3"));
        assertThat(SchedulerArguments.parse(List.of(), new FakeProvider())).isEmpty();
    }

    @Test
    void parse_unknownNames_andNoValues_areAllNamed() {
        assertThat(catchThrowableOfType(
                                UsageException.class,
                                () -> SchedulerArguments.parse(List.of("queu=a,limit,=1,other=2"), new FakeProvider()))
                        .violations())
                .containsExactly(
                        "--scheduler-args: queu (expected: queue; one of queue, limit)",
                        "--scheduler-args: 'limit' (expected: NAME=VALUE; a comma of a value is written twice)",
                        "--scheduler-args: '=1' (expected: NAME=VALUE; a comma of a value is written twice)",
                        "--scheduler-args: other (expected: one of queue, limit)");
    }

    /** Has two options and cannot be opened. */
    private static final class FakeProvider implements SchedulerProvider {
        @Override
        public String name() {
            return "fake";
        }

        @Override
        public List<JobOption> options() {
            return List.of(new JobOption("queue", "NAME", "Queue."), new JobOption("limit", "N", "Limit."));
        }

        @Override
        public Scheduler open(Map<String, String> environment) {
            throw new IllegalStateException("opened");
        }
    }
}
