/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All that is rendered has only fields that Kubernetes knows, of the types that it expects. */
final class StrictManifestsTest {

    @TestFactory
    Stream<DynamicTest> manifests_ofEachForm_haveKnownFieldsOnly() {
        return Jobs.all().entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey(), () -> assertThat(StrictManifests.documents(text(each.getValue())))
                                .isNotEmpty()
                                .allSatisfy(StrictManifests::check)));
    }

    /** What the strict reader refuses: names and types that a lenient one takes. */
    @ParameterizedTest
    @CsvSource({
        "job, podReplacementPolicy:, podReplacmentPolicy:",
        "job, parallelism: 4, parallelism: \"4\"",
        "job, readOnlyRootFilesystem: true, readOnlyRootFilesystem: yes-please",
        "job, restartPolicy:, restartsPolicy:",
        "jobset, publishNotReadyAddresses: true, publishNotReadyAddresses: \"true\"",
        "jobset, dependsOn:, dependOn:",
        "jobset, status: \"Ready\", status: \"Up\"",
        "jobset, backoffLimit:, backOffLimit:",
        "trainjob, numNodes: 4, numNodes: \"4\"",
        "trainjob, torch:, torchh:",
        "trainjob, runtimeRef:, runtime:",
    })
    void manifest_withSlip_isRefused(String form, String right, String wrong) {
        String text = text(Jobs.bare().with("etcd-image", "etcd").with("form", form));

        assertThat(text).contains(right);
        assertThatThrownBy(() ->
                        StrictManifests.documents(text.replace(right, wrong)).forEach(StrictManifests::check))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void custom_withoutRequiredField_isRefused() {
        assertThatThrownBy(() -> StrictManifests.check(Map.of("kind", "TrainJob")))
                .hasMessageContaining("not given");
    }

    private static String text(Jobs job) {
        return ManifestYaml.text(Manifests.of(job.spec(), Jobs.IDENTITY));
    }
}
