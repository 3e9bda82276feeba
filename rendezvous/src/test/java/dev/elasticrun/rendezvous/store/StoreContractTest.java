/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import org.junit.jupiter.api.Nested;

/** What every {@link RendezvousStore} promises; to be extended once for each. */
public abstract class StoreContractTest {
    protected abstract StoreBackend backend();

    @Nested
    final class KeyValues extends KeyValueContract {
        @Override
        StoreBackend backend() {
            return StoreContractTest.this.backend();
        }
    }

    @Nested
    final class Leases extends LeaseContract {
        @Override
        StoreBackend backend() {
            return StoreContractTest.this.backend();
        }
    }

    @Nested
    final class Watches extends WatchContract {
        @Override
        StoreBackend backend() {
            return StoreContractTest.this.backend();
        }
    }

    @Nested
    final class Failures extends FailureContract {
        @Override
        StoreBackend backend() {
            return StoreContractTest.this.backend();
        }
    }
}
