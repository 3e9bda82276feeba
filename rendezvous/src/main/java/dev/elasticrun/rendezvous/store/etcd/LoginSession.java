/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for a token before the first call, puts it on each call, and asks again once the store knows it no more:
 * that call fails, the next one is good. Where the token covers what is asked, a call begins with its first request. Safe
 * for use by any thread.
 */
final class LoginSession {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    // The description by old servers and new ones.
    private static final String INVALID = "invalid auth token";

    private static final String OLD = "revision of auth store is old";
    private static final String NOT_ENABLED = "authentication is not enabled";
    private static final int NONCE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Status STRANGER = Status.UNAUTHENTICATED.withDescription(
            "whoever answers there does not know the key of this run (expected: the run's embedded store, with a proof of"
                    + " the run key)");

    private final StoreLogin login;
    private final Duration deadline;
    private final AtomicLong counter = new AtomicLong();
    // Guarded by this.
    private @Nullable CompletableFuture<String> answered;

    LoginSession(StoreLogin login, Duration deadline) {
        this.login = login;
        this.deadline = deadline;
    }

    /** Whether the store would take the same call with a new token. */
    static boolean isStale(Status status) {
        String description = String.valueOf(status.getDescription());
        return description.contains(INVALID) || description.contains(OLD);
    }

    /** @param transport by which the store is asked */
    ClientInterceptor over(Channel transport) {
        return new ClientInterceptor() {
            @Override
            public <Q, R> ClientCall<Q, R> interceptCall(
                    MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                Token token = new Token(transport);
                ClientCall<Q, R> call = new Watched<>(next.newCall(method, options.withCallCredentials(token)));
                return login.coversRequests() ? new Covered<>(call, token) : call;
            }
        };
    }

    private synchronized CompletableFuture<String> answered(Channel transport) {
        CompletableFuture<String> known = answered;
        if (known == null || known.isCompletedExceptionally()) {
            known = ask(transport);
            answered = known;
        }
        return known;
    }

    private synchronized void forget() {
        CompletableFuture<String> known = answered;
        if (known != null && known.isDone()) {
            answered = null;
        }
    }

    private CompletableFuture<String> ask(Channel transport) {
        CompletableFuture<String> token = new CompletableFuture<>();
        String nonce = nonce();
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setNameBytes(ByteString.copyFromUtf8(login.user()))
                .setPasswordBytes(ByteString.copyFromUtf8(login.password(nonce)))
                .build();
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
        ClientCalls.asyncUnaryCall(
                transport.newCall(AuthGrpc.getAuthenticateMethod(), options), request, new StreamObserver<>() {
                    @Override
                    public void onNext(AuthenticateResponse answer) {
                        login.session(answer.getToken(), nonce)
                                .ifPresentOrElse(
                                        token::complete,
                                        () -> token.completeExceptionally(STRANGER.asRuntimeException()));
                    }

                    @Override
                    public void onError(Throwable failure) {
                        if (String.valueOf(failure.getMessage()).contains(NOT_ENABLED)) {
                            token.complete("");
                        } else {
                            token.completeExceptionally(failure);
                        }
                    }

                    @Override
                    public void onCompleted() {
                        token.completeExceptionally(Status.INTERNAL.asRuntimeException());
                    }
                });
        return token;
    }

    private static String nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return HexFormat.of().formatHex(nonce);
    }

    private final class Token extends CallCredentials {
        private final Channel transport;
        /** Set before the call is started. */
        private byte[] request = {};

        Token(Channel transport) {
            this.transport = transport;
        }

        @Override
        public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
            answered(transport).whenComplete((token, failure) -> {
                if (failure != null) {
                    Status status = Status.fromThrowable(failure);
                    // gRPC would report INVALID_ARGUMENT, the status for a wrong password, as an internal error.
                    applier.fail(
                            status.getCode() == Status.Code.INVALID_ARGUMENT
                                    ? Status.UNAUTHENTICATED.withDescription(status.getDescription())
                                    : status);
                    return;
                }
                Metadata headers = new Metadata();
                if (!token.isEmpty()) {
                    String method = call.getMethodDescriptor().getFullMethodName();
                    headers.put(TOKEN, login.token(token, counter.incrementAndGet(), method, request));
                }
                applier.apply(headers);
            });
        }
    }

    /** Waits with all until its first request is known. All requests are messages of protobuf. */
    private static final class Covered<Q, R> extends ForwardingClientCall<Q, R> {
        private final ClientCall<Q, R> call;
        private final Token token;
        // Guarded by this: a call may be cancelled by any thread.
        private @Nullable Listener<R> listener;
        private @Nullable Metadata headers;
        private int wanted;
        private boolean started;

        Covered(ClientCall<Q, R> call, Token token) {
            this.call = call;
            this.token = token;
        }

        @Override
        protected ClientCall<Q, R> delegate() {
            return call;
        }

        @Override
        public synchronized void start(Listener<R> given, Metadata sent) {
            listener = given;
            headers = sent;
        }

        @Override
        public synchronized void request(int messages) {
            if (started) {
                call.request(messages);
            } else {
                wanted += messages;
            }
        }

        @Override
        public void sendMessage(Q message) {
            begin(message);
            call.sendMessage(message);
        }

        @Override
        public void halfClose() {
            begin(null);
            call.halfClose();
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            begin(null);
            call.cancel(message, cause);
        }

        private synchronized void begin(@Nullable Q first) {
            Listener<R> given = listener;
            Metadata sent = headers;
            if (started || given == null || sent == null) {
                return;
            }
            started = true;
            if (first != null) {
                token.request = ((MessageLite) first).toByteArray();
            }
            call.start(given, sent);
            if (wanted > 0) {
                call.request(wanted);
            }
        }
    }

    /** Forgets the token when the store has. */
    private final class Watched<Q, R> extends SimpleForwardingClientCall<Q, R> {
        Watched(ClientCall<Q, R> call) {
            super(call);
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            super.start(
                    new SimpleForwardingClientCallListener<>(listener) {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            if (isStale(status)) {
                                forget();
                            }
                            super.onClose(status, trailers);
                        }
                    },
                    headers);
        }
    }
}
