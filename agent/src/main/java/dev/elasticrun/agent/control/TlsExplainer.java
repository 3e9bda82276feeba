/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.rendezvous.store.TlsTrouble;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.Optional;

/** Describes why a call failed for lack of trust, which gRPC keeps in the cause of the status. */
final class TlsExplainer implements ClientInterceptor {
    private final boolean isEncrypted;

    /** @param isEncrypted whether the calls go over TLS */
    TlsExplainer(boolean isEncrypted) {
        this.isEncrypted = isEncrypted;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<R> responses, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<>(responses) {
                            private boolean understood;

                            @Override
                            public void onReady() {
                                // The handshake is complete, so a later failure has another reason.
                                understood = true;
                                super.onReady();
                            }

                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                super.onClose(explained(status, understood), trailers);
                            }
                        },
                        headers);
            }
        };
    }

    private Status explained(Status status, boolean understood) {
        if (status.isOk()) {
            return status;
        }
        StatusException failure = status.asException();
        return TlsTrouble.of(failure)
                .or(() -> understood ? Optional.empty() : TlsTrouble.guess(failure, isEncrypted))
                .map(status::withDescription)
                .orElse(status);
    }
}
