/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

final class TestNetworkTest {
    private static final String MISSING = "no network for the test: there is no ip of iproute2 on the PATH"
            + " (expected: root or user namespaces, ip of iproute2, unshare and nsenter of util-linux)";

    @Test
    void network_withoutTheProgram_failsAndNamesIt() {
        assertThatThrownBy(() -> TestNetwork.open("/nowhere", false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(MISSING);
    }

    @Test
    void network_withoutTheProgram_skipsTheTestThatAskedForIt() {
        assertThatThrownBy(() -> TestNetwork.open("/nowhere", true))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage(MISSING);
    }
}
