/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.CallProof;
import java.util.Objects;

/** As whom a store is called. */
public sealed interface StoreLogin {
    /** What to ask the store for a token with. */
    String user();

    String password();

    /** What one call carries. */
    String token(String answered, long counter, String method);

    /** A user of an etcd with authentication. */
    record User(String user, String password) implements StoreLogin {
        public User {
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(password, "password");
        }

        @Override
        public String token(String answered, long counter, String method) {
            return answered;
        }

        @Override
        public String toString() {
            return "User[" + user + "]";
        }
    }

    /** One who knows the secret of an embedded store. */
    record Secret(String secret) implements StoreLogin {
        @Override
        public String user() {
            return "elastic-run";
        }

        @Override
        public String password() {
            return "";
        }

        @Override
        public String token(String answered, long counter, String method) {
            return CallProof.of(secret, answered, counter, method).text();
        }

        @Override
        public String toString() {
            return "Secret[***]";
        }
    }
}
