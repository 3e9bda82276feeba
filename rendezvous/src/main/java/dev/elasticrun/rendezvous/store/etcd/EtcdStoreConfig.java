/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import io.grpc.ChannelCredentials;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the store is and how long a call may take.
 *
 * @param endpoints members of one etcd cluster as {@code host:port}; the first is used until two calls in a row fail
 * @param callDeadline end of every single call. Too low: calls fail while a loaded store still works on them. Too high:
 *     a dead member is left late; keep two of them below the lease's time to live
 * @param tls how the members are known and connections encrypted; null = in plain text
 * @param login how calls are authenticated; null = not at all
 */
public record EtcdStoreConfig(
        List<String> endpoints,
        Duration callDeadline,
        @Nullable StoreLogin login,
        @Nullable ChannelCredentials tls) {

    public static final Duration DEFAULT_CALL_DEADLINE = Duration.ofSeconds(2);

    private static final Pattern ENDPOINT =
            Pattern.compile("(?<host>[^\\s\\[\\]:/]+|\\[[0-9a-fA-F:.%]+]):(?<port>\\d{1,5})");

    public EtcdStoreConfig {
        endpoints = List.copyOf(endpoints);
        Objects.requireNonNull(callDeadline, "callDeadline");
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("endpoints: [] (expected: at least one host:port)");
        }
        for (String endpoint : endpoints) {
            if (!ENDPOINT.matcher(endpoint).matches()) {
                throw new IllegalArgumentException("endpoint: " + endpoint + " (expected: host:port)");
            }
        }
        if (callDeadline.isNegative() || callDeadline.isZero()) {
            throw new IllegalArgumentException("callDeadline: " + callDeadline + " (expected: above zero)");
        }
    }

    /** Endpoints without a login, with the default deadline. */
    public static EtcdStoreConfig of(List<String> endpoints) {
        return new EtcdStoreConfig(endpoints, DEFAULT_CALL_DEADLINE, null, null);
    }

    public EtcdStoreConfig withLogin(@Nullable StoreLogin newLogin) {
        return new EtcdStoreConfig(endpoints, callDeadline, newLogin, tls);
    }

    public EtcdStoreConfig withTls(@Nullable ChannelCredentials newTls) {
        return new EtcdStoreConfig(endpoints, callDeadline, login, newTls);
    }

    public EtcdStoreConfig withCallDeadline(Duration newDeadline) {
        return new EtcdStoreConfig(endpoints, newDeadline, login, tls);
    }

    /**
     * With a deadline that leaves a lease of this time to live: one call may run out of time, and the next still renews in
     * time, where there are more endpoints on the next of them.
     */
    public EtcdStoreConfig withLease(Duration ttl) {
        return withCallDeadline(callDeadline(ttl, endpoints.size()));
    }

    /** The deadline of {@link #withLease}. */
    public static Duration callDeadline(Duration ttl, int endpoints) {
        Duration part = ttl.dividedBy(endpoints > 1 ? 3 : 2);
        return part.compareTo(DEFAULT_CALL_DEADLINE) < 0 ? part : DEFAULT_CALL_DEADLINE;
    }

    /** Without secrets. */
    @Override
    public String toString() {
        return "EtcdStoreConfig[endpoints=" + endpoints + ", callDeadline=" + callDeadline + ", login=" + login + "]";
    }
}
