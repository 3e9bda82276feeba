/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;

/** What is known of a call that failed. */
final class ServerWords {
    private ServerWords() {}

    /** Whether no server answered, so that the call may have had an effect. */
    static boolean isSilent(KubernetesClientException failure) {
        return failure.getCode() <= 0;
    }

    /** The server's own words, or why there are none. */
    static String of(KubernetesClientException failure, String address) {
        if (failure.getStatus() != null && failure.getStatus().getMessage() != null) {
            return failure.getStatus().getMessage();
        }
        if (!isSilent(failure)) {
            return "HTTP status " + failure.getCode();
        }
        Throwable root = failure;
        // What a refused connection is caused by in turn adds nothing.
        while (root.getCause() != null && !(root instanceof ConnectException)) {
            root = root.getCause();
        }
        String message = root.getMessage();
        String cause = root.getClass().getSimpleName() + (message == null ? "" : ": " + message);
        return address + " does not answer as an API server of Kubernetes: " + cause;
    }
}
