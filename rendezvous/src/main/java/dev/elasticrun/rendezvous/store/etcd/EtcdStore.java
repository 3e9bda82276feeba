/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreFacts;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import dev.elasticrun.rendezvous.store.etcd.EtcdCalls.Answers;
import dev.elasticrun.rendezvous.store.etcd.EtcdCalls.Kind;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in etcd, or in anything that speaks its v3 API. Futures complete and listeners are called on the client's
 * threads; neither may block there.
 *
 * <p>A failed call is never repeated. Two in a row move the client to the next endpoint and end its watches.
 */
public final class EtcdStore implements RendezvousStore {
    private final EtcdConnection connection;
    private final EtcdCalls calls;
    private final LeaseRenewals renewals;
    private final EtcdWatches watches;
    private final StoreIdentity identity = new StoreIdentity();

    private EtcdStore(EtcdStoreConfig config, EtcdThreads threads, boolean ownsThreads) {
        this.connection = new EtcdConnection(config, threads, ownsThreads);
        this.calls = new EtcdCalls(connection, identity, config.callDeadline());
        this.renewals = new LeaseRenewals(connection, identity, config.callDeadline());
        this.watches = new EtcdWatches(connection, identity);
    }

    /** Returns at once; whether anything answers is the outcome of the first call. */
    public static EtcdStore connect(EtcdStoreConfig config) {
        return new EtcdStore(config, new EtcdThreads(1), true);
    }

    /** The same on threads that stores of one process share; the caller closes them after the last store. */
    public static EtcdStore connect(EtcdStoreConfig config, EtcdThreads threads) {
        return new EtcdStore(config, threads, false);
    }

    @Override
    public CompletableFuture<KeyValues> range(KeyRange range) {
        return calls.call(
                KVGrpc.getRangeMethod(),
                Kind.READ,
                "range of " + range.from(),
                EtcdMessages.range(range),
                new Answers<>(RangeResponse::getHeader, answer -> EtcdMessages.keyValues(answer, answer.getHeader())));
    }

    @Override
    public CompletableFuture<TransactionResult> commit(Transaction transaction) {
        return calls.call(
                KVGrpc.getTxnMethod(),
                isRead(transaction) ? Kind.READ : Kind.WRITE,
                "transaction on " + subject(transaction),
                EtcdMessages.transaction(transaction),
                new Answers<>(TxnResponse::getHeader, EtcdMessages::result));
    }

    @Override
    public Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
        if (fromRevision < 1) {
            throw new IllegalArgumentException("fromRevision: " + fromRevision + " (expected: >= 1)");
        }
        return watches.watch(range, fromRevision, listener);
    }

    /** etcd counts whole seconds: a part of one is rounded up. */
    @Override
    public CompletableFuture<Long> grantLease(Duration ttl) {
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("ttl: " + ttl + " (expected: above zero)");
        }
        long seconds = ttl.plusSeconds(1).minusNanos(1).toSeconds();
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setTTL(seconds).build();
        return calls.call(
                LeaseGrpc.getLeaseGrantMethod(),
                Kind.WRITE,
                "grant of a lease of " + seconds + " s",
                request,
                new Answers<>(LeaseGrantResponse::getHeader, answer -> {
                    if (!answer.getError().isEmpty()) {
                        throw new StoreException("etcd grant of a lease failed: " + answer.getError(), null);
                    }
                    return answer.getID();
                }));
    }

    @Override
    public CompletableFuture<Boolean> renewLease(long leaseId) {
        return renewals.renew(leaseId);
    }

    @Override
    public CompletableFuture<Optional<Duration>> leaseAge(long leaseId) {
        return calls.call(
                LeaseGrpc.getLeaseTimeToLiveMethod(),
                Kind.READ,
                "age of lease " + Long.toHexString(leaseId),
                LeaseTimeToLiveRequest.newBuilder().setID(leaseId).build(),
                new Answers<>(LeaseTimeToLiveResponse::getHeader, EtcdStore::age));
    }

    /** A lease that is not there has less than no time left. */
    private static Optional<Duration> age(LeaseTimeToLiveResponse answer) {
        return answer.getTTL() < 0
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(answer.getGrantedTTL() - answer.getTTL()));
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        calls.call(
                        LeaseGrpc.getLeaseRevokeMethod(),
                        Kind.WRITE,
                        "revoke of lease " + Long.toHexString(leaseId),
                        LeaseRevokeRequest.newBuilder().setID(leaseId).build(),
                        new Answers<>(LeaseRevokeResponse::getHeader, Function.identity()))
                .whenComplete((answer, failure) -> {
                    if (failure == null || isNotFound(failure.getCause())) {
                        result.complete(null);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
        return result;
    }

    @Override
    public CompletableFuture<Optional<StoreFacts>> facts() {
        return calls.call(
                        MaintenanceGrpc.getStatusMethod(),
                        Kind.READ,
                        "status",
                        StatusRequest.getDefaultInstance(),
                        new Answers<>(StatusResponse::getHeader, Function.identity()))
                .thenCompose(
                        status -> alarms(status).thenApply(alarms -> Optional.of(EtcdMessages.facts(status, alarms))));
    }

    /** @param status of the same store: before version 3.5 the header of alarms is empty */
    private CompletableFuture<AlarmResponse> alarms(StatusResponse status) {
        return calls.call(
                MaintenanceGrpc.getAlarmMethod(),
                Kind.READ,
                "list of alarms",
                AlarmRequest.newBuilder()
                        .setAction(AlarmRequest.AlarmAction.GET)
                        .build(),
                new Answers<>(alarms -> status.getHeader(), Function.identity()));
    }

    @Override
    public void close() {
        // Ends its stream on the connection's thread, which is gone soon after the connection.
        renewals.close();
        connection.close();
    }

    private static boolean isNotFound(@Nullable Throwable cause) {
        return cause != null && Status.fromThrowable(cause).getCode() == Status.Code.NOT_FOUND;
    }

    private static boolean isRead(Transaction transaction) {
        return transaction.onSuccess().stream().allMatch(Transaction.Operation.Get.class::isInstance)
                && transaction.onFailure().stream().allMatch(Transaction.Operation.Get.class::isInstance);
    }

    private static String subject(Transaction transaction) {
        if (!transaction.guards().isEmpty()) {
            return transaction.guards().get(0).key();
        }
        return transaction.onSuccess().stream()
                .findFirst()
                .map(operation -> {
                    if (operation instanceof Transaction.Operation.Put put) {
                        return put.key();
                    }
                    return operation instanceof Transaction.Operation.Delete delete
                            ? delete.range().from()
                            : ((Transaction.Operation.Get) operation).range().from();
                })
                .orElse("nothing");
    }
}
