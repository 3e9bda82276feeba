/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.EtcdUser;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.RemoteRuns;
import dev.elasticrun.agent.TlsOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** By what a command finds a run whose agents are on other hosts: flags, or else the variables by which agents know it. */
final class RemoteFlags {
    static final String ENDPOINT = "--rdzv-endpoint";
    private static final String RUN_ID = "--run-id";
    private static final String KEY_FILE = "--run-key-file";
    private static final String FILE = "FILE";
    private static final String TLS = "--tls";
    private static final String INSECURE = "--insecure";
    private static final String TLS_CERT = "--tls-cert";
    private static final String TLS_KEY = "--tls-key";
    private static final String TLS_CA = "--tls-ca";
    private static final String ETCD_USER = "--etcd-user";
    private static final String ETCD_PASSWORD_FILE = "--etcd-password-file";
    private static final String ETCD_CERT = "--etcd-cert";
    private static final String ETCD_KEY = "--etcd-key";
    private static final String ETCD_CA = "--etcd-ca";

    /**
     * One of them.
     *
     * @param label of its value; empty = it has none
     */
    record Described(String name, String label, String description) {}

    /** In the order of the help text. */
    static final List<Described> ALL = List.of(
            new Described(
                    ENDPOINT,
                    "HOST[:PORT],...",
                    "Where the run's store is. Default: an agent of yours on this host is asked."),
            new Described(KEY_FILE, FILE, "The run's secret, if its store is not an etcd, which holds it."),
            new Described(
                    TLS,
                    "",
                    "An embedded store is encrypted. Default: if its address is not a loopback address, unless --insecure."),
            new Described(INSECURE, "", "An embedded store was started with --insecure."),
            new Described(
                    TLS_CERT,
                    FILE,
                    "Certificate to show to a run that has given ones, PEM; with --tls-key and --tls-ca."),
            new Described(TLS_KEY, FILE, "The certificate's key, PEM of PKCS#8."),
            new Described(TLS_CA, FILE, "Authorities that vouch for that run's nodes, PEM."),
            new Described(ETCD_CA, FILE, "Authorities that vouch for the etcd, PEM. Default: --tls-ca."),
            new Described(
                    ETCD_CERT, FILE, "Certificate that the etcd is shown, PEM. Default: --tls-cert without --etcd-ca."),
            new Described(ETCD_KEY, FILE, "That certificate's key, PEM of PKCS#8."),
            new Described(ETCD_USER, "NAME", "User of an etcd with authentication; with --etcd-password-file."),
            new Described(ETCD_PASSWORD_FILE, FILE, "File with that user's password."));

    private RemoteFlags() {}

    /** Whether the run is to be looked for in a store; else on this host only. */
    static boolean areGiven(Subcommand.Call call) {
        return endpoint(call).isPresent();
    }

    /**
     * What to look for; empty = an agent on this host.
     *
     * @throws UsageException when it does not say enough
     */
    static Optional<RemoteRuns.Wanted> wanted(Subcommand.Call call) {
        return endpoint(call).map(endpoint -> {
            String runId = call.value(RUN_ID)
                    .orElseThrow(() -> UsageException.of(RUN_ID, "not given", "the name of a run, with " + ENDPOINT));
            return new RemoteRuns.Wanted(
                    endpoints(endpoint),
                    runId,
                    value(call, KEY_FILE).map(Path::of),
                    tls(call),
                    new EtcdUser(value(call, ETCD_USER).orElse(null), path(call, ETCD_PASSWORD_FILE)));
        });
    }

    private static List<String> endpoints(String text) {
        try {
            return FlagValues.endpoints(text);
        } catch (IllegalArgumentException e) {
            throw UsageException.of(ENDPOINT, text, String.valueOf(e.getMessage()));
        }
    }

    /** The flag; else the variable, unless the run has an agent on this host. */
    private static Optional<String> endpoint(Subcommand.Call call) {
        Optional<String> runId = call.value(RUN_ID);
        return call.value(ENDPOINT).or(() -> variable(call, ENDPOINT)
                .filter(endpoint -> runId.isPresent())
                .filter(endpoint -> LocalRuns.find(runId.orElseThrow()).isEmpty()));
    }

    private static TlsOptions tls(Subcommand.Call call) {
        return new TlsOptions(
                has(call, TLS),
                has(call, INSECURE),
                path(call, TLS_CERT),
                path(call, TLS_KEY),
                path(call, TLS_CA),
                path(call, ETCD_CERT),
                path(call, ETCD_KEY),
                path(call, ETCD_CA));
    }

    private static boolean has(Subcommand.Call call, String flag) {
        return call.has(flag)
                || variable(call, flag).map(text -> yesOrNo(flag, text)).orElse(false);
    }

    private static boolean yesOrNo(String flag, String text) {
        try {
            return FlagValues.yesOrNo(text);
        } catch (IllegalArgumentException e) {
            throw UsageException.of(name(flag), text, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Path path(Subcommand.Call call, String flag) {
        return value(call, flag).map(Path::of).orElse(null);
    }

    private static Optional<String> value(Subcommand.Call call, String flag) {
        return call.value(flag).or(() -> variable(call, flag));
    }

    private static Optional<String> variable(Subcommand.Call call, String flag) {
        return Optional.ofNullable(call.environment().get(name(flag))).filter(value -> !value.isEmpty());
    }

    private static String name(String flag) {
        return Flag.variable("ELASTICRUN_", flag.substring(2));
    }
}
