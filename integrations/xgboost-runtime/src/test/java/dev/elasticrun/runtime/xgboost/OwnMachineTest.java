/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OwnMachineTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, true",
        "127.0.0.2, 127.0.0.1, true",
        "203.0.113.7, 203.0.113.7, true",
        "203.0.113.8, 203.0.113.7, false",
        "2001:db8::8, 2001:db8::7, false",
    })
    void isAt_callerAndCalled(String caller, String called, boolean expected) throws IOException {
        assertThat(OwnMachine.isAt(InetAddress.getByName(caller), InetAddress.getByName(called), "203.0.113.1"))
                .isEqualTo(expected);
    }

    /** Behind NAT, a call to the node's own address comes back from that address. */
    @ParameterizedTest
    @CsvSource({"203.0.113.1, true", "203.0.113.2, false"})
    void isAt_nodeBehindNat(String caller, boolean expected) throws IOException {
        assertThat(OwnMachine.isAt(InetAddress.getByName(caller), InetAddress.getByName("10.0.0.7"), "203.0.113.1"))
                .isEqualTo(expected);
    }
}
