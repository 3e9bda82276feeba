/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockHolderTest {
    private static final List<String> LOCKS = List.of(
            "1: FLOCK  ADVISORY  WRITE 31969 fe:00:77 0 EOF",
            "2: POSIX  ADVISORY  WRITE 12 00:1a:177 0 EOF",
            "3: POSIX  ADVISORY  WRITE 4711 00:1a:77 0 EOF",
            "3: -> POSIX  ADVISORY  WRITE 13 00:1a:77 0 EOF",
            "4: OFDLCK ADVISORY  READ  -1 00:1a:78 0 EOF");

    @Test
    void pid_ofALockedFile_isItsHolderAndNobodyWhoWaits() {
        assertThat(LockHolder.pid(LOCKS, 77)).hasValue(4711);
        assertThat(LockHolder.pid(LOCKS, 177)).hasValue(12);
    }

    @Test
    void pid_ofAnother_isEmpty() {
        assertThat(LockHolder.pid(LOCKS, 7)).isEmpty();
        assertThat(LockHolder.pid(LOCKS, 78)).isEmpty();
    }
}
