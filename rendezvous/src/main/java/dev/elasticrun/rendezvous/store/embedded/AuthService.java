/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import dev.elasticrun.rendezvous.store.CallProof;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.stub.StreamObserver;
import java.security.SecureRandom;

/** Where etcd takes a user and a password and gives a token, this store takes a nonce, gives one, and proves itself. */
final class AuthService extends AuthGrpc.AuthImplBase {
    private final EtcdState state;
    private final StoreAccess access;
    private final Sessions sessions;
    private final SecureRandom random;

    AuthService(EtcdState state, StoreAccess access, Sessions sessions, SecureRandom random) {
        this.state = state;
        this.access = access;
        this.sessions = sessions;
        this.random = random;
    }

    @Override
    public void authenticate(AuthenticateRequest request, StreamObserver<AuthenticateResponse> observer) {
        Answer.with(observer, () -> AuthenticateResponse.newBuilder()
                .setHeader(state.header())
                .setToken(token(request.getPassword()))
                .build());
    }

    private String token(String asking) {
        String nonce = sessions.open(System.nanoTime(), random);
        String secret = access.secret();
        return secret == null ? nonce : CallProof.greeting(secret, asking, nonce);
    }
}
