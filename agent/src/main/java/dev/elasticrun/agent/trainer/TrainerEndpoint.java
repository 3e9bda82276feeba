/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trainer;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where Trainer receives the status of the TrainJob that a pod belongs to, as it states in the pod's environment.
 *
 * @param authority file with the certificates that vouch for the server, PEM
 * @param token file with what proves that the pod belongs to the TrainJob; its content changes
 */
public record TrainerEndpoint(URI url, Path authority, Path token) {
    private static final String URL = "KUBEFLOW_TRAINER_SERVER_URL";
    private static final String AUTHORITY = "KUBEFLOW_TRAINER_SERVER_CA_CERT";
    private static final String TOKEN = "KUBEFLOW_TRAINER_SERVER_TOKEN";

    /**
     * Empty if the environment names none.
     *
     * @throws IllegalArgumentException if it names one that cannot be used; names the variable
     */
    public static Optional<TrainerEndpoint> of(Map<String, String> environment) {
        String url = environment.getOrDefault(URL, "");
        return url.isEmpty()
                ? Optional.empty()
                : Optional.of(new TrainerEndpoint(
                        parse(url), Path.of(value(environment, AUTHORITY)), Path.of(value(environment, TOKEN))));
    }

    // In plain text everybody on the way could read the token.
    private static URI parse(String url) {
        try {
            URI parsed = new URI(url);
            if ("https".equals(parsed.getScheme()) && parsed.getHost() != null) {
                return parsed;
            }
        } catch (URISyntaxException e) {
            // The message below names it.
        }
        throw new IllegalArgumentException(URL + ": " + url + " (expected: https://HOST:PORT/PATH)");
    }

    private static String value(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(name + ": not set (expected: a file, as " + URL + " is set)");
        }
        return value;
    }
}
