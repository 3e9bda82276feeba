/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrainerEndpointTest {
    private static final String URL = "KUBEFLOW_TRAINER_SERVER_URL";
    /** As Trainer sets them. */
    private static final Map<String, String> POD = Map.of(
            URL,
            "https://kubeflow-trainer-controller-manager.kubeflow.svc:10443/apis/trainer.kubeflow.org/v1alpha1/namespaces/a/trainjobs/b/status",
            "KUBEFLOW_TRAINER_SERVER_CA_CERT",
            "/var/run/secrets/kubeflow/trainer/ca.crt",
            "KUBEFLOW_TRAINER_SERVER_TOKEN",
            "/var/run/secrets/kubeflow/trainer/token");

    @Test
    void of_variablesOfAPod_areRead() {
        assertThat(TrainerEndpoint.of(POD))
                .contains(new TrainerEndpoint(
                        URI.create(POD.get(URL)),
                        Path.of("/var/run/secrets/kubeflow/trainer/ca.crt"),
                        Path.of("/var/run/secrets/kubeflow/trainer/token")));
    }

    @Test
    void of_noUrl_isEmpty() {
        assertThat(TrainerEndpoint.of(Map.of())).isEmpty();
        assertThat(TrainerEndpoint.of(with(URL, ""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "KUBEFLOW_TRAINER_SERVER_URL, http://trainer.example/status",
        "KUBEFLOW_TRAINER_SERVER_URL, trainer.example",
        "KUBEFLOW_TRAINER_SERVER_URL, 'https://a b/'",
        "KUBEFLOW_TRAINER_SERVER_CA_CERT, ''",
        "KUBEFLOW_TRAINER_SERVER_TOKEN, ''",
    })
    void of_wrongValue_isNamed(String name, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrainerEndpoint.of(with(name, value)))
                .withMessageStartingWith(name + ": ");
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> all = new HashMap<>(POD);
        all.put(name, value);
        return all;
    }
}
