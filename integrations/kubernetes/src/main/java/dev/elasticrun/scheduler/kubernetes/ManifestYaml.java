/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;

/** Manifests as {@code kubectl create -f} takes them. */
final class ManifestYaml {
    private static final String START = "---\n";

    private ManifestYaml() {}

    static String text(List<HasMetadata> manifests) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        StringBuilder text = new StringBuilder();
        for (HasMetadata manifest : manifests) {
            String document = serialization.asYaml(manifest);
            if (!document.startsWith(START)) {
                text.append(START);
            }
            text.append(document);
            if (!document.endsWith("\n")) {
                text.append('\n');
            }
        }
        return text.toString();
    }
}
