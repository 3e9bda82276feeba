/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.stub.StreamObserver;
import java.security.SecureRandom;

/** Where etcd takes a user and a password and gives a token, this store takes nothing and gives a nonce. */
final class AuthService extends AuthGrpc.AuthImplBase {
    private final EtcdState state;
    private final Sessions sessions;
    private final SecureRandom random;

    AuthService(EtcdState state, Sessions sessions, SecureRandom random) {
        this.state = state;
        this.sessions = sessions;
        this.random = random;
    }

    @Override
    public void authenticate(AuthenticateRequest request, StreamObserver<AuthenticateResponse> observer) {
        Answer.with(observer, () -> AuthenticateResponse.newBuilder()
                .setHeader(state.header())
                .setToken(sessions.open(System.nanoTime(), random))
                .build());
    }
}
