/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.Certificates;
import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the whole-system benchmarks and prints their tables. System properties: {@code bench.kills} and {@code
 * bench.silences} (default 20), {@code bench.restMillis} (default 1000, between two faults), {@code bench.launches}
 * (default 10), {@code bench.startup} (default 10, starts of an agent) and {@code bench.web} (default 10, with a page and metrics), {@code bench.stepMillis} (default 20,
 * as in the sample); for rendezvous {@code bench.agents} (default 10,100,1000), {@code bench.repeats} (default 5), {@code bench.slots} (workers a node, default 1) and {@code
 * bench.leaseSeconds} (default 3); {@code bench.collective} (default 3, repetitions) and
 * {@code bench.worlds} (default 2,4); {@code
 * bench.checkpoints} (default 9, repetitions), {@code bench.checkpointMib} (default 256) and {@code bench.healMib}
 * (default 1024); {@code bench.locals} (default 9, repetitions) and {@code bench.localMib} (default 48); {@code
 * bench.commands} (default 10, of each kind); {@code bench.torch} (default 5, starts and kills under each launcher);
 * {@code bench.slurm} (default 5, preemptions under each launcher); {@code bench.engines} (default 5, losses of each kind
 * under each engine); {@code bench.kubernetes} (default 0, jobs on a control plane, which is built first);
 * {@code bench.logs} and {@code bench.progress} (default 5, repetitions); {@code bench.status} (default 100, nodes) and {@code bench.questions} (default 15,
 * repetitions); {@code bench.xgboost} (default 200, boosting rounds of the experiment about failures, six minutes),
 * {@code bench.xgboostTrials} (default all; some as {@code baseline,elastic1}), {@code bench.xgboostOutcomes} (a file that
 * keeps what was measured, to go on another time) and {@code bench.xgboostPicture} (where the plot is written, in the
 * temporary directory unless given); {@code bench.studies} (default 0, seeds of studies) and {@code bench.concurrent} (default 2,
 * trials at a time). 0 leaves out a table. {@code bench.tls} (default false) measures starts, recoveries
 * and collectives with TLS beside those without.
 */
public final class Bench {
    private Bench() {}

    public static void main(String[] arguments) throws IOException {
        Project.requireBuilt();
        int kills = Integer.getInteger("bench.kills", 20);
        int launches = Integer.getInteger("bench.launches", 10);
        int startups = Integer.getInteger("bench.startup", 10);
        int silences = Integer.getInteger("bench.silences", 20);
        int stepMillis = Integer.getInteger("bench.stepMillis", 20);
        int repeats = Integer.getInteger("bench.repeats", 5);
        int slots = Integer.getInteger("bench.slots", 1);
        int collective = Integer.getInteger("bench.collective", 3);
        int checkpoints = Integer.getInteger("bench.checkpoints", 9);
        List<Integer> agents = integers("bench.agents", "10,100,1000");
        boolean isEncrypted = Boolean.getBoolean("bench.tls");
        Path directory = Files.createTempDirectory("elastic-bench-");
        try {
            System.out.printf(
                    "## Whole system: %d processors, Java %s%n",
                    Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"));
            if (launches > 0) {
                System.out.println(LaunchBench.run(directory, launches));
            }
            if (startups > 0) {
                try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd-startup"))) {
                    System.out.println(StartupBench.run(directory, etcd, startups, isEncrypted));
                }
            }
            if (Integer.getInteger("bench.web", 10) > 0) {
                try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd-web"))) {
                    System.out.println(WebBench.run(directory, etcd, Integer.getInteger("bench.web", 10)));
                }
            }
            if (kills > 0) {
                try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
                    System.out.println(RecoveryBench.run(directory, etcd.endpoint(), kills, stepMillis, List.of()));
                }
                if (isEncrypted) {
                    recoverWithTls(directory, kills, stepMillis);
                }
            }
            if (Integer.getInteger("bench.commands", 10) > 0) {
                try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd-commands"))) {
                    System.out.println(SteerBench.run(
                            directory, etcd.endpoint(), Integer.getInteger("bench.commands", 10), stepMillis));
                }
            }
            if (Integer.getInteger("bench.xgboost", 200) > 0) {
                experiment(directory);
            }
            if (Integer.getInteger("bench.studies", 0) > 0) {
                System.out.println(StudyBench.run(
                        directory, Integer.getInteger("bench.studies", 0), Integer.getInteger("bench.concurrent", 2)));
            }
            if (Integer.getInteger("bench.trials", 0) > 0) {
                System.out.println(TrialBench.run(directory, Integer.getInteger("bench.trials", 0)));
            }
            if (silences > 0) {
                System.out.println(SilenceBench.run(directory, silences, stepMillis));
            }
            if (!agents.isEmpty() && repeats > 0) {
                System.out.println(ScaleBench.run(directory, agents, repeats, slots));
            }
            if (collective > 0) {
                System.out.println(
                        CollectiveBench.run(directory, integers("bench.worlds", "2,4"), collective, isEncrypted));
            }
            if (Integer.getInteger("bench.logs", 5) > 0) {
                System.out.println(LogBench.run(directory, Integer.getInteger("bench.logs", 5)));
            }
            if (Integer.getInteger("bench.progress", 5) > 0) {
                System.out.println(ProgressBench.run(directory, Integer.getInteger("bench.progress", 5)));
            }
            if (Integer.getInteger("bench.status", 100) > 0) {
                System.out.println(StatusBench.run(Integer.getInteger("bench.status", 100), 20));
            }
            if (Integer.getInteger("bench.questions", 15) > 0) {
                System.out.println(QuestionBench.run(directory, Integer.getInteger("bench.questions", 15)));
            }
            if (checkpoints > 0) {
                int checkpointMib = Integer.getInteger("bench.checkpointMib", 256);
                int healMib = Integer.getInteger("bench.healMib", 1024);
                System.out.println(CheckpointBench.run(directory, checkpoints, checkpointMib, healMib));
            }
            if (Integer.getInteger("bench.torch", 5) > 0) {
                System.out.println(TorchBench.run(directory, Integer.getInteger("bench.torch", 5)));
            }
            if (Integer.getInteger("bench.kubernetes", 0) > 0) {
                try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd-kubernetes"))) {
                    System.out.println(KubernetesBench.run(directory, etcd, Integer.getInteger("bench.kubernetes", 0)));
                }
            }
            if (Integer.getInteger("bench.slurm", 5) > 0) {
                System.out.println(SlurmBench.run(directory, Integer.getInteger("bench.slurm", 5)));
            }
            if (Integer.getInteger("bench.engines", 5) > 0) {
                System.out.println(EnginesBench.run(directory, Integer.getInteger("bench.engines", 5)));
            }
            if (Integer.getInteger("bench.locals", 9) > 0) {
                System.out.println(LocalStateBench.run(
                        directory, Integer.getInteger("bench.locals", 9), Integer.getInteger("bench.localMib", 48)));
            }
        } finally {
            Project.delete(directory);
        }
    }

    private static void experiment(Path directory) throws IOException {
        String kept = System.getProperty("bench.xgboostOutcomes", "");
        String picture = System.getProperty("bench.xgboostPicture", "");
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd-xgboost"))) {
            System.out.println(ExperimentBench.run(
                    directory,
                    etcd.endpoint(),
                    Integer.getInteger("bench.xgboost", 200),
                    Trial.parse(System.getProperty("bench.xgboostTrials", "all")),
                    kept.isEmpty() ? null : Path.of(kept),
                    picture.isEmpty() ? directory.resolve("experiment.svg") : Path.of(picture)));
        }
    }

    private static void recoverWithTls(Path directory, int kills, int stepMillis) {
        Path files = Certificates.make(directory, "store", "store");
        List<String> options = new ArrayList<>(List.of("--tls"));
        options.addAll(Certificates.ofEtcd(files));
        try (EtcdProcess etcd = EtcdProcess.startWithTls(directory.resolve("etcd-tls"), files)) {
            System.out.println(RecoveryBench.run(directory, etcd.endpoint(), kills, stepMillis, options));
        }
    }

    private static List<Integer> integers(String name, String standard) {
        return Arrays.stream(System.getProperty(name, standard).split(",", -1))
                .map(Integer::valueOf)
                .filter(value -> value > 0)
                .toList();
    }
}
