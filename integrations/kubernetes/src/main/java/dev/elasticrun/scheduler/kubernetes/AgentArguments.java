/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobBounds;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of an agent in its pod: what the scheduler knows, then the user's flags, then the program. Flags win over
 * variables, so also over those that Kubeflow's Trainer sets. What only the pod knows is in its variables, which agents read
 * by themselves ({@code --engine kubernetes}).
 */
final class AgentArguments {
    /** Where the log directory is mounted. */
    static final String LOG_DIR = "/var/log/elastic-run";
    /** Where the run key is mounted. */
    static final String KEY_DIR = "/etc/elastic-run";
    /** Key of the Secret, and name of the file. */
    static final String KEY = "run-key";

    static final String POD_IP = "POD_IP";
    static final int ETCD_PORT = 2379;
    /** An etcd that starts with the job has its image pulled meanwhile. */
    private static final String FIRST_CONTACT = "300s";

    private static final String RUN_ID = "--run-id";
    private static final String ONCE = "--once";

    private final ManifestSpec spec;
    private final List<String> arguments = new ArrayList<>();

    private AgentArguments(ManifestSpec spec) {
        this.spec = spec;
    }

    static List<String> of(ManifestSpec spec, RunIdentity identity) {
        return new AgentArguments(spec).list(identity);
    }

    /** By which the agents of a submission meet. */
    static String runId(ManifestSpec spec, RunIdentity identity) {
        return spec.job().flag(RUN_ID).orElse(identity.run());
    }

    static String nodes(ManifestSpec spec) {
        return JobBounds.of(spec.job()).toString();
    }

    /** Workers of a pod: as many as were asked for, else one for each GPU, else what suits the form. */
    static String workers(ManifestSpec spec) {
        if (spec.job().workersPerNode() > 0) {
            return Integer.toString(spec.job().workersPerNode());
        }
        if (spec.resources().gpus() > 0) {
            return Integer.toString(spec.resources().gpus());
        }
        return isMadeForXgboost(spec) ? "1" : "auto";
    }

    private List<String> list(RunIdentity identity) {
        add("--nnodes", nodes(spec));
        add("--nproc-per-node", workers(spec));
        addName(identity);
        if (spec.hasOwnEtcd()) {
            add("--rdzv-endpoint", spec.etcdHost() + ":" + ETCD_PORT);
            add("--first-contact-timeout", FIRST_CONTACT);
        }
        add("--engine", "kubernetes");
        if (spec.describesPods()) {
            add("--log-dir", LOG_DIR);
        }
        if (spec.hasKeySecret()) {
            add("--run-key-file", KEY_DIR + "/" + KEY);
        }
        if (isMadeForXgboost(spec)) {
            add("--runtime", "xgboost");
        }
        spec.job().flags().forEach(flag -> arguments.add(escaped(flag)));
        arguments.add("--");
        spec.job().command().forEach(word -> arguments.add(escaped(word)));
        return List.copyOf(arguments);
    }

    /** A name of one submission is never used again, so a pod that comes after the success has nothing to do. */
    private void addName(RunIdentity identity) {
        if (spec.job().flag(RUN_ID).isEmpty()) {
            arguments.add(RUN_ID + "=" + identity.run());
            if (spec.job().flag(ONCE).isEmpty()) {
                arguments.add(ONCE);
            }
        }
    }

    private void add(String name, String value) {
        spec.job().flagUnlessGiven(name, value).ifPresent(arguments::add);
    }

    private static boolean isMadeForXgboost(ManifestSpec spec) {
        return spec.runtime().equals(new TrainerRuntime.Made(TrainerRuntime.Policy.XGBOOST));
    }

    /** Kubernetes replaces {@code $(NAME)} in arguments, and makes one {@code $} of two. */
    private static String escaped(String text) {
        return text.replace("$", "$$");
    }
}
