/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.TlsMaterial;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

final class FirstHandshakeTest {
    private static final RunAuthority AUTHORITY = RunAuthority.of(new byte[32], "demo");

    @Test
    void make_bothEnds_comeToAnEnd() throws Exception {
        assertThat(FirstHandshake.make(AUTHORITY.issue("node-1", List.of()))).isTrue();
    }

    @Test
    void make_certificatesAreJudged() {
        TlsMaterial node = AUTHORITY.issue("node-1", List.of());
        TlsMaterial stranger = RunAuthority.of(new byte[] {1}, "demo").issue("node-2", List.of());
        TlsMaterial mixed = new TlsMaterial(node.key(), node.chain(), stranger.authorities());
        assertThatThrownBy(() -> FirstHandshake.make(mixed)).isInstanceOf(SSLException.class);
    }

    @Test
    void rehearse_beforeTheKeyIsKnown_bindsNothing() {
        RunTls tls = RunTls.generated("demo", "node-1", List.of());
        tls.rehearse();
        assertThatThrownBy(tls::material).isInstanceOf(IllegalStateException.class);
    }
}
