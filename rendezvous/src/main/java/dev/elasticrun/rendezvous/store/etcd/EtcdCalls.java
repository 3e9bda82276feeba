/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.IndeterminateWriteException;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreFullException;
import dev.elasticrun.rendezvous.store.StoreRefusedException;
import dev.elasticrun.rendezvous.store.StoreUntrustedException;
import dev.elasticrun.rendezvous.store.TlsTrouble;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Single calls with a deadline, and what their failures mean to the caller. */
final class EtcdCalls {

    /** Whether a repeat of the call can do harm. */
    public enum Kind {
        READ,
        WRITE
    }

    private static final String NO_SPACE = "etcdserver: mvcc: database space exceeded";

    private final EtcdConnection connection;
    private final StoreIdentity identity;
    private final Duration deadline;

    EtcdCalls(EtcdConnection connection, StoreIdentity identity, Duration deadline) {
        this.connection = connection;
        this.identity = identity;
        this.deadline = deadline;
    }

    /** How an answer is read. */
    record Answers<R, T>(Function<R, ResponseHeader> header, Function<R, T> decoder) {}

    <Q, R, T> CompletableFuture<T> call(
            MethodDescriptor<Q, R> method, Kind kind, String what, Q request, Answers<R, T> answers) {
        StoreException replaced = identity.replaced();
        if (replaced != null) {
            return CompletableFuture.failedFuture(replaced);
        }
        EtcdConnection.Link link = connection.link();
        Call<R, T> call = new Call<>(link, kind, what, answers);
        CallOptions options = CallOptions.DEFAULT
                .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
                .withStreamTracerFactory(call.sent);
        ClientCalls.asyncUnaryCall(link.calls().newCall(method, options), request, call);
        return call.result;
    }

    static String describe(String what, String endpoint, long elapsedNanos, Status status) {
        String details = status.getDescription() == null ? "" : ": " + status.getDescription();
        // "io exception" is the whole description of a refused connection.
        String cause = status.getCause() == null || status.getCause().getMessage() == null
                ? ""
                : " (" + status.getCause().getMessage() + ")";
        return "etcd " + what + " at " + endpoint + " failed after " + elapsedNanos / 1_000_000 + " ms: "
                + status.getCode() + details + cause;
    }

    /** The failure of a stream. It names the reason where the two ends distrust each other. */
    static StoreException failure(String message, @Nullable Throwable cause) {
        return untrusted(message, cause).orElseGet(() -> new StoreException(message, cause));
    }

    private static Optional<StoreException> untrusted(String message, @Nullable Throwable cause) {
        return TlsTrouble.of(cause).map(why -> new StoreUntrustedException(message + "; " + why, cause));
    }

    /** Whether the failure is the connection's or the member's, not the request's: a next member may do better. */
    static boolean isOutage(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL, CANCELLED -> true;
            default -> false;
        };
    }

    private static boolean isRefusal(Status status) {
        return switch (status.getCode()) {
            case INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED,
                    UNAUTHENTICATED -> true;
            // From a server it means "no space" or "too large"; from our own side, that the answer was too large.
            case RESOURCE_EXHAUSTED -> isByServer(status);
            default -> false;
        };
    }

    // Whether the caller is refused, and not the request.
    private static boolean isForbidden(Status status) {
        return switch (status.getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED -> true;
            case INVALID_ARGUMENT -> {
                String description = String.valueOf(status.getDescription());
                yield description.contains("user name is empty") || description.contains("authentication failed");
            }
            default -> false;
        };
    }

    private static String reason(Status status) {
        return String.valueOf(status.getDescription()).contains("etcdserver:")
                ? " (expected: --etcd-user and --etcd-password-file, or an --etcd-cert, of a user with a role that may"
                        + " read and write /elastic-run/)"
                : "";
    }

    private static boolean isByServer(Status status) {
        String description = status.getDescription();
        return description != null
                && (description.startsWith("etcdserver:") || description.startsWith("grpc: received message larger"));
    }

    private final class Call<R, T> implements StreamObserver<R> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final SentMark sent = new SentMark();
        private final long startNanos = System.nanoTime();
        private final EtcdConnection.Link link;
        private final Kind kind;
        private final String what;
        private final Answers<R, T> answers;
        private final long leastRevision = identity.revision();
        private @Nullable R answer;

        Call(EtcdConnection.Link link, Kind kind, String what, Answers<R, T> answers) {
            this.link = link;
            this.kind = kind;
            this.what = what;
            this.answers = answers;
        }

        @Override
        public void onNext(R value) {
            answer = value;
        }

        @Override
        public void onCompleted() {
            R value = answer;
            if (value == null) {
                onError(Status.INTERNAL.withDescription("no answer").asRuntimeException());
                return;
            }
            connection.succeeded(link);
            try {
                identity.check(answers.header.apply(value), leastRevision, link.endpoint());
                result.complete(answers.decoder.apply(value));
            } catch (StoreException e) {
                result.completeExceptionally(e);
            }
        }

        @Override
        public void onError(Throwable cause) {
            Status status = Status.fromThrowable(cause);
            if (isOutage(status)) {
                connection.failed(link);
            } else {
                connection.succeeded(link);
            }
            if (NO_SPACE.equals(status.getDescription())) {
                result.completeExceptionally(new StoreFullException(
                        "etcd at " + link.endpoint()
                                + " is out of space and refuses writes; see etcdctl alarm list, make"
                                + " room by compaction and defrag, then etcdctl alarm disarm",
                        cause));
                return;
            }
            String message = connection.isClosed()
                    ? "etcd " + what + " failed: the store was closed"
                    : describe(what, link.endpoint(), System.nanoTime() - startNanos, status);
            Optional<StoreException> untrusted = untrusted(message, cause);
            if (untrusted.isPresent()) {
                result.completeExceptionally(untrusted.get());
                return;
            }
            if (identity.revision() == 0) {
                message += TlsTrouble.guess(cause, connection.isEncrypted())
                        .map(guess -> "; " + guess)
                        .orElse("");
            }
            if (isForbidden(status) && !connection.isStaleLogin(status)) {
                result.completeExceptionally(new StoreRefusedException(message + reason(status), cause));
                return;
            }
            boolean mayBeDone = kind == Kind.WRITE && sent.mark && !isRefusal(status);
            result.completeExceptionally(
                    mayBeDone
                            ? new IndeterminateWriteException(message + " (it may have been done)", cause)
                            : new StoreException(message, cause));
        }
    }

    /** Knows whether a call ever got a connection to be written to. */
    private static final class SentMark extends ClientStreamTracer.Factory {
        private volatile boolean mark;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void streamCreated(Attributes transportAttributes, Metadata sentHeaders) {
                    mark = true;
                }
            };
        }
    }
}
