/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What rendezvous needs of a store: bytes with revisions. Knows nothing of rendezvous.
 *
 * <pre>{@code
 * import dev.elasticrun.rendezvous.store.KeyRange;
 * import dev.elasticrun.rendezvous.store.RendezvousStore;
 * import dev.elasticrun.rendezvous.store.Transaction;
 * import dev.elasticrun.rendezvous.store.Transaction.Guard;
 * import dev.elasticrun.rendezvous.store.Transaction.Operation;
 * import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
 * import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
 * import java.nio.charset.StandardCharsets;
 * import java.util.List;
 *
 * public final class FirstWins {
 *     public static void main(String[] args) {
 *         try (RendezvousStore store = EtcdStore.connect(EtcdStoreConfig.of(List.of("127.0.0.1:2379")))) {
 *             byte[] name = args[0].getBytes(StandardCharsets.UTF_8);
 *             Transaction claim = new Transaction(
 *                     List.of(new Guard.CreateRevision("/claim", 0)),
 *                     List.of(new Operation.Put("/claim", name, 0)),
 *                     List.of(new Operation.Get(KeyRange.key("/claim"))));
 *             boolean isFirst = store.commit(claim).join().succeeded();
 *             System.out.println(isFirst ? "first" : "later");
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link dev.elasticrun.rendezvous.store.RendezvousStore} is the contract that every store must meet.
 */
@NullMarked
package dev.elasticrun.rendezvous.store;

import org.jspecify.annotations.NullMarked;
