/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import org.junit.jupiter.api.Test;

final class PodReportTest {

    @Test
    void pod_withImageThatIsNotThere_reportsIt() {
        Pod pod = pod(new PodStatusBuilder()
                .withPhase("Pending")
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withRestartCount(0)
                        .withState(new ContainerStateBuilder()
                                .withNewWaiting()
                                .withReason("ErrImagePull")
                                .withMessage("not found")
                                .endWaiting()
                                .build())
                        .build())
                .build());

        assertThat(PodReport.part(pod).reason()).isEqualTo("ErrImagePull: not found");
        assertThat(PodReport.part(pod).state()).isEqualTo("Pending");
        assertThat(PodReport.hasStarted(pod)).isFalse();
    }

    @Test
    void pod_thatWasDrained_namesItsExitCode() {
        Pod pod = pod(ended(143, "Error"));

        assertThat(PodReport.part(pod).reason()).isEqualTo("exit code 143");
        assertThat(PodReport.hasStarted(pod)).isTrue();
        assertThat(PodReport.isRunning(pod)).isFalse();
    }

    @Test
    void pod_thatTookTooMuchMemory_reportsIt() {
        assertThat(PodReport.part(pod(ended(137, "OOMKilled"))).reason()).isEqualTo("exit code 137: OOMKilled");
    }

    @Test
    void pod_thatFitsNowhere_reportsWhy() {
        Pod pod = pod(new PodStatusBuilder()
                .withPhase("Pending")
                .withConditions(new PodConditionBuilder()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .withMessage("0/3 nodes are available")
                        .build())
                .build());

        assertThat(PodReport.part(pod).reason()).isEqualTo("Unschedulable: 0/3 nodes are available");
    }

    @Test
    void pod_thatIsDeleted_isTerminating() {
        Pod pod = pod(new PodStatusBuilder().withPhase("Running").build());
        pod.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");

        assertThat(PodReport.part(pod).state()).isEqualTo("Terminating");
        assertThat(PodReport.isRunning(pod)).isFalse();
    }

    @Test
    void pod_withoutStatus_isPending() {
        Pod pod = new PodBuilder().withNewMetadata().withName("a").endMetadata().build();

        assertThat(PodReport.part(pod).state()).isEqualTo("Pending");
        assertThat(PodReport.part(pod).host()).isEmpty();
    }

    private static PodStatus ended(int code, String reason) {
        return new PodStatusBuilder()
                .withPhase("Failed")
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withRestartCount(0)
                        .withState(new ContainerStateBuilder()
                                .withNewTerminated()
                                .withExitCode(code)
                                .withReason(reason)
                                .endTerminated()
                                .build())
                        .build())
                .build();
    }

    private static Pod pod(PodStatus status) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("xgb-a")
                .endMetadata()
                .withNewSpec()
                .withNodeName("host-1")
                .endSpec()
                .withStatus(status)
                .build();
    }
}
