/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.scheduler.Scheduler;
import dev.elasticrun.scheduler.SchedulerException;
import dev.elasticrun.scheduler.SchedulerProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is reported where no cluster is. */
@Timeout(60)
final class ClusterAccessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void provider_isRegistered() {
        assertThat(ServiceLoader.load(SchedulerProvider.class))
                .extracting(SchedulerProvider::name)
                .contains("kubernetes");
    }

    @Test
    void render_needsNoCluster() {
        try (Scheduler scheduler = open(Map.of())) {
            assertThat(scheduler.render(Jobs.plain().job())).startsWith("---\n").contains("kind: \"Job\"");
        }
    }

    @Test
    void cluster_thatIsNotKnown_isNamed() {
        try (Scheduler scheduler = open(Map.of("HOME", directory.toString()))) {
            assertThatThrownBy(scheduler::list)
                    .isInstanceOf(SchedulerException.class)
                    .hasMessage("cluster: none is known (expected: a kubeconfig at KUBECONFIG or ~/.kube/config,"
                            + " or the service account of a pod)");
        }
    }

    @Test
    void kubeconfig_thatIsNotThere_isNamed() {
        try (Scheduler scheduler = open(Map.of("KUBECONFIG", "/nowhere/config"))) {
            assertThatThrownBy(() -> scheduler.submit(Jobs.plain().job()))
                    .isInstanceOf(SchedulerException.class)
                    .hasMessage("KUBECONFIG: /nowhere/config (expected: one file that exists)");
        }
    }

    @Test
    void kubeconfig_thatIsNone_isNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("config"), "[not, a, kubeconfig");
        try (Scheduler scheduler = open(Map.of("KUBECONFIG", file.toString()))) {
            assertThatThrownBy(scheduler::list)
                    .isInstanceOf(SchedulerException.class)
                    .hasMessageStartingWith("kubeconfig: " + file + " (expected: ");
        }
    }

    @Test
    void server_thatDoesNotAnswer_isNamed() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        assertThat(refusal("server: \"https://127.0.0.1:%d\"".formatted(port)))
                .startsWith("https://127.0.0.1:" + port
                        + "/ does not answer as an API server of Kubernetes: ConnectException");
    }

    @Test
    void address_thatIsNone_isNamed() throws IOException {
        assertThat(refusal("server: \"no url\""))
                .isEqualTo("server of the kubeconfig: http://no url/ (expected: a URL, as https://HOST:PORT)");
    }

    private String refusal(String cluster) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test, namespace: training}}]
                clusters: [{name: test, cluster: {%s}}]
                users: [{name: test, user: {token: secret}}]
                """.formatted(cluster));
        try (Scheduler scheduler = open(Map.of("KUBECONFIG", file.toString()))) {
            return String.valueOf(catchThrowableOfType(SchedulerException.class, scheduler::list)
                    .getMessage());
        }
    }

    private static Scheduler open(Map<String, String> environment) {
        return new KubernetesSchedulerProvider().open(environment);
    }
}
