/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.CallProof;
import java.util.Objects;
import java.util.Optional;

/** Authenticates the calls to a store. */
public sealed interface StoreLogin {
    /** What to ask the store for a token with. */
    String user();

    /** @param nonce random, of this question */
    String password(String nonce);

    /**
     * What calls are made with after that; empty when it was not the store that answered.
     *
     * @param nonce of the question
     */
    Optional<String> session(String answered, String nonce);

    /** Whether a call's token depends on what the call asks. */
    boolean coversRequests();

    /**
     * What one call carries.
     *
     * @param request as it is sent; empty when the token does not depend on it
     */
    String token(String session, long counter, String method, byte[] request);

    /** A user of an etcd with authentication. */
    record User(String user, String password) implements StoreLogin {
        public User {
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(password, "password");
        }

        @Override
        public String password(String nonce) {
            return password;
        }

        @Override
        public Optional<String> session(String answered, String nonce) {
            return Optional.of(answered);
        }

        @Override
        public boolean coversRequests() {
            return false;
        }

        @Override
        public String token(String session, long counter, String method, byte[] request) {
            return session;
        }

        @Override
        public String toString() {
            return "User[" + user + "]";
        }
    }

    /** A client with the secret of an embedded store. */
    record Secret(String secret) implements StoreLogin {
        @Override
        public String user() {
            return "elastic-run";
        }

        @Override
        public String password(String nonce) {
            return nonce;
        }

        @Override
        public Optional<String> session(String answered, String nonce) {
            return CallProof.nonce(secret, nonce, answered);
        }

        @Override
        public boolean coversRequests() {
            return true;
        }

        @Override
        public String token(String session, long counter, String method, byte[] request) {
            return CallProof.of(secret, session, counter, method, request).text();
        }

        @Override
        public String toString() {
            return "Secret[***]";
        }
    }
}
