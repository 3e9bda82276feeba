/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.SchedulerException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpecReaderTest {

    @TestFactory
    Stream<DynamicTest> options_thatFitTogether_areTaken() {
        return Jobs.all().entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey(),
                        () -> assertThatCode(() -> each.getValue().spec()).doesNotThrowAnyException()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "form ~ daemonset ~ form: daemonset (expected: job, jobset, trainjob)",
                "cpu ~ two ~ cpu: two (expected: a quantity of Kubernetes such as 500m, 2 or 4Gi)",
                "memory ~ 4GB ~ memory: 4GB (expected: a quantity of Kubernetes such as 500m, 2 or 4Gi)",
                "gpus ~ -1 ~ gpus: -1 (expected: a number, at least 0)",
                "namespace ~ My_Team ~ namespace: My_Team (expected: a name of lower-case letters, digits, '-' and '.')",
                "tolerations ~ a:Never ~ tolerations: a:Never (expected: KEY[=VALUE][:EFFECT],...)",
                "node-selector ~ gpu ~ node-selector: gpu (expected: LABEL=VALUE,...)",
                "ttl ~ soon ~ ttl: soon (expected: a time such as 5s, 2m or 1h; a plain number is seconds)",
                "etcd-image ~ etcd ~ etcd-image: etcd (expected: none with --rdzv-endpoint)",
                "etcd-storage ~ 1Gi ~ etcd-storage: 1Gi (expected: etcd-image beside it)",
                "runtime ~ torch ~ runtime: torch (expected: form=trainjob beside it)",
                "gpu-resource ~ amd.com/gpu ~ gpu-resource: amd.com/gpu (expected: gpus beside it)",
            })
    void option_thatDoesNotFit_isNamed(String option, String value, String message) {
        assertThat(wrong(Jobs.plain().with(option, value))).containsExactly(message);
    }

    @Test
    void all_thatIsWrong_isNamedAtOnce() {
        List<String> lines =
                wrong(Jobs.bare().without("image").with("gpus", "many").withFlags("--shutdown-timeout=never"));

        assertThat(lines).hasSize(4);
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).startsWith("image: not given"))
                .anySatisfy(line -> assertThat(line).startsWith("gpus: many"))
                .anySatisfy(line -> assertThat(line).startsWith("--rdzv-endpoint: not given"))
                .anySatisfy(line -> assertThat(line).startsWith("--shutdown-timeout: never"));
    }

    @Test
    void name_thatNoServiceMayHave_isRefused() {
        JobSpec job = Jobs.plain().named("4nodes");

        assertThat(lines(job)).singleElement().asString().startsWith("--job-name: 4nodes (expected: ");
    }

    @Test
    void runtime_ofTheCluster_hasItsOwnPods() {
        assertThat(wrong(Jobs.plain()
                        .with("form", "trainjob")
                        .with("runtime", "torch-distributed")
                        .with("shm-size", "1Gi")
                        .with("ml-policy", "torch")))
                .containsExactlyInAnyOrder(
                        "ml-policy: torch (expected: none with runtime, which has one)",
                        "shm-size: 1Gi (expected: none with runtime, which describes the pods)");
    }

    @Test
    void store_ofSeveralNodes_cannotBeInOne() {
        assertThat(wrong(Jobs.bare().withFlags("--standalone", "--rdzv-endpoint=e")))
                .containsExactly("--standalone: with up to 4 nodes (expected: one node)");
    }

    private static List<String> wrong(Jobs job) {
        return lines(job.job());
    }

    private static List<String> lines(JobSpec job) {
        SchedulerException wrong = catchThrowableOfType(SchedulerException.class, () -> SpecReader.read(job));
        return wrong.lines();
    }
}
