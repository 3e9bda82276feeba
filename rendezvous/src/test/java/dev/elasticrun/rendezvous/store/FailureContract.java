/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused, and how work ends that cannot be done. */
abstract class FailureContract extends StoreContract {
    @Test
    void commit_sameKeyTwice_isRefusedAndWritesNothing() {
        Transaction twice = new Transaction(List.of(), List.of(write("a", "1"), write("a", "2")), List.of());

        assertThatThrownBy(() -> get(store().commit(twice)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("duplicate key");
        assertThat(entries("a")).isEmpty();
    }

    @Test
    void value_tooLarge_isRefusedAndWritesNothing() {
        byte[] value = new byte[2 << 20];
        Transaction large = new Transaction(List.of(), List.of(new Operation.Put(key("a"), value, 0)), List.of());

        assertThatThrownBy(() -> get(store().commit(large)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("large");
        assertThat(entries("a")).isEmpty();
    }

    @Test
    void close_withWorkUnderWay_endsIt() {
        RendezvousStore client = another();
        RecordingWatchListener listener = new RecordingWatchListener();
        client.watch(all(), get(client.range(all())).revision() + 1, listener);

        client.close();
        client.close();

        awaitFailure(listener);
        assertThatThrownBy(() -> get(client.range(all())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> get(client.renewLease(1)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }
}
