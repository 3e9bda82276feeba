/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.ClassDataName;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.launch.WorkerProgram;
import dev.elasticrun.tune.store.TrialOrder;
import dev.elasticrun.worker.contract.TrialFiles;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The launch of a trial: what the study orders, over what the agent has. */
public final class TrialLaunch {
    /** How Kubeflow's Trainer names the parameters of an experiment. */
    private static final String KUBEFLOW = "KUBEFLOW_TRAINER_OPT_";
    /** An agent's own: where it finds the store, and where it is. */
    private static final Set<Setting<?>> OWN = Set.of(
            Settings.RDZV_BACKEND,
            Settings.RDZV_ENDPOINT,
            Settings.RUN_KEY_FILE,
            Settings.RUN_ID,
            Settings.STANDALONE,
            Settings.ETCD_CA,
            Settings.ETCD_CERT,
            Settings.ETCD_KEY,
            Settings.ETCD_USER,
            Settings.ETCD_PASSWORD_FILE);

    private TrialLaunch() {}

    /**
     * Checked as any launch.
     *
     * @param defaults of the agent
     * @throws LaunchConfigException naming all that is wrong
     */
    public static LaunchConfig of(TrialOrder order, LaunchConfig defaults) {
        // Agents of a pool are given to a trial when they are free: nobody is to come at its start.
        LaunchConfigBuilder builder = LaunchConfig.builder(order.program())
                .arguments(order.arguments())
                .lastCallTimeout(Duration.ZERO);
        for (Setting<?> setting : defaults.values().given().keySet()) {
            List<String> texts = defaults.texts(setting);
            if (!texts.isEmpty()) {
                builder.setTexts(setting, texts);
            }
        }
        for (Setting<?> setting : Settings.all()) {
            List<String> texts = order.settings().get(setting.name());
            if (texts != null && !OWN.contains(setting)) {
                builder.setTexts(setting, texts);
            }
        }
        // An agent that comes as the others end must not begin the trial again.
        LaunchConfig config = builder.runId(order.run())
                .set(Settings.ONCE, true)
                .console(false)
                .build();
        if (order.reuse() && !WorkerProgram.isJar(config)) {
            throw new LaunchConfigException(
                    List.of("reuse: true, of " + order.program() + " (expected: a jar, or reuse: false)"));
        }
        return config;
    }

    /**
     * Of trials that one process can work for: all but what differs between them. A program that was built anew is another one.
     *
     * @throws UncheckedIOException when the program is not there
     */
    static String reuseKey(TrialOrder order, LaunchConfig config) {
        try {
            return ClassDataName.of(config) + "\n" + order.program() + "\n" + new TreeMap<>(order.settings());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot reuse workers", e);
        }
    }

    /** The same with the variables by which workers find the trial. */
    static LaunchConfig in(TrialDirectory directory, TrialOrder order, LaunchConfig config) {
        Map<String, String> environment = new HashMap<>(config.get(Settings.ENV));
        TrialFiles.config(order.parameters())
                .forEach((name, value) -> environment.put(variable(name), value.toString()));
        environment.put(WorkerEnv.STUDY, order.study());
        environment.put(WorkerEnv.TRIAL, Integer.toString(order.trial()));
        environment.put(WorkerEnv.TRIAL_CONFIG, order.parameters());
        environment.put(WorkerEnv.TRIAL_DIR, directory.files().directory().toString());
        return config.toBuilder().environment(environment).build();
    }

    private static String variable(String name) {
        return KUBEFLOW + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9_]", "_");
    }
}
