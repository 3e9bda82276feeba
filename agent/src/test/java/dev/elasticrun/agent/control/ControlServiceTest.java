/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class ControlServiceTest {
    @Test
    void words_ofWhatWentWrong_nameNoClasses() {
        assertThat(ControlService.words(new CompletionException(new IllegalStateException("etcd is away"))))
                .isEqualTo("etcd is away");
        assertThat(ControlService.words(new IllegalStateException("etcd is away")))
                .isEqualTo("etcd is away");
        assertThat(ControlService.words(null)).isEqualTo("null");
    }
}
