/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

final class PlatformThreadTest {

    @Test
    void require_platformThread_isFine() {
        assertThatCode(PlatformThread::require).doesNotThrowAnyException();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void require_virtualThread_isRefused() throws Exception {
        CompletableFuture<String> message = new CompletableFuture<>();
        Runnable program = () -> {
            try {
                PlatformThread.require();
                message.complete("not refused");
            } catch (IllegalStateException e) {
                message.complete(e.getMessage());
            }
        };

        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, program);

        assertThat(message.get(20, TimeUnit.SECONDS)).contains("is virtual (expected: a platform thread");
    }
}
