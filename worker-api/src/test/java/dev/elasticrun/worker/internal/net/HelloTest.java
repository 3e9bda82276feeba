/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class HelloTest {
    private static final Hello HELLO = new Hello(false, "i", 1, 2, 3, 4);

    @Test
    void read_ofThisProtocol_isEqual() throws IOException {
        assertThat(read(written())).isEqualTo(HELLO);
    }

    @Test
    void read_ofAnotherProtocol_namesBoth() throws IOException {
        byte[] older = written();
        older[3] = '2';
        assertThatThrownBy(() -> read(older)).hasMessage("a worker of protocol 2 (expected: 3)");
        byte[] strange = written();
        strange[0] = 'e';
        assertThatThrownBy(() -> read(strange)).hasMessage("not a worker of this protocol");
    }

    private static byte[] written() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HELLO.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Hello read(byte[] bytes) throws IOException {
        return Hello.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }
}
