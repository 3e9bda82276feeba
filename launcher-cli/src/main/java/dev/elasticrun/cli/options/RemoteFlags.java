/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.RemoteRuns;
import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** By what a command finds a run whose agents are on other hosts: settings of agents, by flag or else by variable. */
public final class RemoteFlags {
    static final String ENDPOINT = Settings.RDZV_ENDPOINT.option();
    private static final String RUN_ID = Settings.RUN_ID.option();

    /** What they do here, in the order of the help text. */
    static final Map<Setting<?>, String> HELP = help();

    private RemoteFlags() {}

    private static Map<Setting<?>, String> help() {
        Map<Setting<?>, String> help = new LinkedHashMap<>();
        help.put(Settings.RDZV_ENDPOINT, "Where the run's store is. Default: an agent of yours on this host is asked.");
        help.put(
                Settings.RDZV_BACKEND,
                "What kind of store that is. Default: an etcd, or an embedded one if only --run-key-file is given.");
        help.put(Settings.POLICY_PATH, "Jars and directories with that kind of store, separated by ':'.");
        help.put(Settings.RUN_KEY_FILE, "The run's secret, if its store is not an etcd, which holds it.");
        help.put(
                Settings.TLS,
                "An embedded store is encrypted. Default: if its address is not a loopback address, unless --insecure.");
        help.put(Settings.INSECURE, "An embedded store was started with --insecure.");
        help.put(
                Settings.TLS_CERT,
                "Certificate to show to a run that has given ones, PEM; with --tls-key and --tls-ca.");
        help.put(Settings.TLS_KEY, Settings.TLS_KEY.help());
        help.put(Settings.TLS_CA, "Authorities that vouch for that run's nodes, PEM.");
        help.put(Settings.ETCD_CA, "Authorities that vouch for the etcd, PEM. Default: --tls-ca.");
        help.put(Settings.ETCD_CERT, "Certificate that the etcd is shown, PEM. Default: --tls-cert without --etcd-ca.");
        help.put(Settings.ETCD_KEY, Settings.ETCD_KEY.help());
        help.put(Settings.ETCD_USER, Settings.ETCD_USER.help());
        help.put(Settings.ETCD_PASSWORD_FILE, Settings.ETCD_PASSWORD_FILE.help());
        return help;
    }

    /** Whether the run is to be looked for in a store; else on this host only. */
    public static boolean areGiven(Invocation call) {
        return endpoint(call).isPresent();
    }

    /**
     * The run to look for; empty = an agent on this host.
     *
     * @throws UsageException when the flags name no run, or a value is wrong
     */
    public static Optional<RemoteRuns.Wanted> wanted(Invocation call) {
        return endpoint(call).map(endpoint -> {
            String runId = call.value(RUN_ID)
                    .orElseThrow(() -> UsageException.of(RUN_ID, "not given", "the name of a run, with " + ENDPOINT));
            return wanted(SettingValues.DEFAULTS.with(Settings.RUN_ID, runId), call);
        });
    }

    /**
     * A store of which all runs are wanted; empty = the flag does not name one.
     *
     * @throws UsageException when a value is wrong
     */
    public static Optional<RemoteRuns.Wanted> store(Invocation call) {
        return call.value(ENDPOINT).map(endpoint -> wanted(SettingValues.DEFAULTS, call));
    }

    private static RemoteRuns.Wanted wanted(SettingValues before, Invocation call) {
        SettingValues values = before;
        for (Setting<?> setting : HELP.keySet()) {
            values = with(values, setting, call);
        }
        return new RemoteRuns.Wanted(values);
    }

    private static SettingValues with(SettingValues values, Setting<?> setting, Invocation call) {
        boolean isOn = !setting.kind().takesValue() && call.has(setting.option());
        Optional<String> flag = isOn ? Optional.of("true") : call.value(setting.option());
        Optional<String> text = flag.or(() -> variable(call, setting));
        try {
            return text.isPresent() ? values.withTexts(setting, List.of(text.get())) : values;
        } catch (IllegalArgumentException e) {
            String name =
                    flag.isPresent() ? setting.option() : setting.variables().get(0);
            throw UsageException.of(name, text.orElse(""), String.valueOf(e.getMessage()));
        }
    }

    /** The flag; else the variable, unless the run has an agent on this host. */
    private static Optional<String> endpoint(Invocation call) {
        Optional<String> runId = call.value(RUN_ID);
        return call.value(ENDPOINT).or(() -> variable(call, Settings.RDZV_ENDPOINT)
                .filter(endpoint -> runId.isPresent())
                .filter(endpoint -> LocalRuns.find(runId.orElseThrow()).isEmpty()));
    }

    private static Optional<String> variable(Invocation call, Setting<?> setting) {
        return Optional.ofNullable(call.environment().get(setting.variables().get(0)))
                .filter(value -> !value.isEmpty());
    }
}
