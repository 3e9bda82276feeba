/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What is awaited without a limit of its own may take long on a machine with other work. Found by the service loader. */
public final class PatientAwaits implements BeforeAllCallback {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
