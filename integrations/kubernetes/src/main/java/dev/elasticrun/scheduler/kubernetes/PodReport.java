/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobStatus;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a pod reports about its agent. */
final class PodReport {
    private static final String RUNNING = "Running";

    private PodReport() {}

    static boolean isRunning(Pod pod) {
        return state(pod).equals(RUNNING);
    }

    /** Whether its agent has written anything yet, or may have. */
    static boolean hasStarted(Pod pod) {
        return containers(pod).stream()
                .map(ContainerStatus::getState)
                .anyMatch(state -> state != null && (state.getRunning() != null || state.getTerminated() != null));
    }

    static JobStatus.Part part(Pod pod) {
        String host = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return new JobStatus.Part(
                pod.getMetadata().getName(),
                host == null ? "" : host,
                state(pod),
                containers(pod).stream()
                        .mapToInt(container -> container.getRestartCount() == null ? 0 : container.getRestartCount())
                        .sum(),
                reason(pod));
    }

    private static String state(Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return "Terminating";
        }
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return phase == null ? "Pending" : phase;
    }

    private static String reason(Pod pod) {
        PodStatus status = pod.getStatus();
        if (status == null) {
            return "";
        }
        Stream<String> ofContainers = containers(pod).stream()
                .map(ContainerStatus::getState)
                .filter(state -> state != null)
                .map(PodReport::reason);
        Stream<String> ofConditions = conditions(status).stream()
                .filter(condition -> !"Ready".equals(condition.getType()))
                .filter(condition -> isTrouble(condition.getType(), condition.getStatus()))
                .map(condition -> both(condition.getReason(), condition.getMessage()));
        return Stream.concat(
                        Stream.concat(ofContainers, Stream.of(both(status.getReason(), status.getMessage()))),
                        ofConditions)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static boolean isTrouble(@Nullable String type, @Nullable String status) {
        return ("PodScheduled".equals(type) && "False".equals(status))
                || ("DisruptionTarget".equals(type) && "True".equals(status));
    }

    private static String reason(ContainerState state) {
        if (state.getWaiting() != null) {
            return both(state.getWaiting().getReason(), state.getWaiting().getMessage());
        }
        if (state.getTerminated() == null || state.getTerminated().getExitCode() == null) {
            return "";
        }
        int code = state.getTerminated().getExitCode();
        return code == 0
                ? ""
                : both(
                        "exit code " + code,
                        "Error".equals(state.getTerminated().getReason())
                                ? ""
                                : state.getTerminated().getReason());
    }

    private static String both(@Nullable String reason, @Nullable String message) {
        String first = reason == null ? "" : reason;
        String second = message == null ? "" : message;
        return first + (first.isEmpty() || second.isEmpty() ? "" : ": ") + second;
    }

    private static List<ContainerStatus> containers(Pod pod) {
        List<ContainerStatus> statuses =
                pod.getStatus() == null ? null : pod.getStatus().getContainerStatuses();
        return statuses == null ? List.of() : statuses;
    }

    private static List<PodCondition> conditions(PodStatus status) {
        List<PodCondition> conditions = status.getConditions();
        return conditions == null ? List.of() : conditions;
    }
}
