/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Slurm cluster on this machine: the distribution's own daemons, one {@code slurmd} for each node. All files are below a
 * directory of the test, and nothing runs after {@link #close}. Jobs of partition {@code prod} preempt those of {@code spot},
 * one on each node at a time if they ask for all {@link #CPUS}.
 */
public final class SlurmCluster implements AutoCloseable {
    /** Of each node. */
    public static final int CPUS = 4;

    private static final List<String> PACKAGES = List.of("slurmctld", "slurmd", "slurm-client", "munge");
    /** Names that an installation makes of others are not there when packages are only unpacked. */
    private static final List<String> PROGRAMS = List.of(
            "slurmctld=usr/sbin/slurmctld-wlm",
            "slurmd=usr/sbin/slurmd-wlm",
            "slurmstepd=usr/sbin/slurmstepd-wlm",
            "munged",
            "sbatch",
            "srun",
            "scancel",
            "scontrol",
            "sinfo",
            "squeue");

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int KEY_BYTES = 1024;
    private static final int FIRST_JOB = 1000;
    private static final int JOBS = 50_000;

    private final Path programs;
    private final Path directory;
    /** But those of nodes. */
    private final List<Process> daemons = new ArrayList<>();
    /** The daemon of each node, by its name. */
    private final Map<String, Process> nodes = new LinkedHashMap<>();

    private int outputs;

    private SlurmCluster(Path programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
    }

    /**
     * Starts one, and waits until all nodes are idle. Fetches the programs if they are not there.
     *
     * @param parent a directory for its files
     */
    public static SlurmCluster start(Path parent, int nodes) {
        SlurmCluster cluster = null;
        boolean isUp = false;
        try {
            Path programs = FetchedPrograms.directory("slurm", PACKAGES, PROGRAMS);
            cluster = new SlurmCluster(programs, Files.createTempDirectory(parent, "slurm-"));
            cluster.startDaemons(nodes);
            isUp = true;
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (cluster != null && !isUp) {
                cluster.close();
            }
        }
    }

    private void startDaemons(int count) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path munge = Files.createDirectory(directory.resolve("munge"));
        Files.setPosixFilePermissions(munge, PosixFilePermissions.fromString("rwx--x--x"));
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Path keyFile = Files.write(munge.resolve("key"), key);
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("r--------"));
        configure(count);

        daemons.add(daemon(
                "munged",
                "--foreground",
                "--force",
                "--key-file=" + keyFile,
                "--socket=" + munge.resolve("socket"),
                "--pid-file=" + munge.resolve("pid"),
                "--log-file=" + munge.resolve("log"),
                "--seed-file=" + munge.resolve("seed")));
        Patience.until("munged", LIMIT, () -> Files.exists(munge.resolve("socket")), this::logs);
        daemons.add(daemon("slurmctld", "-D", "-c"));
        for (int node = 1; node <= count; node++) {
            startNode("n" + node);
        }
        Patience.until(count + " idle nodes", LIMIT, () -> idleNodes() == count, this::logs);
    }

    /** The node is there, or there again, as after a boot: its daemon runs. */
    public void startNode(String node) {
        try {
            Path spool = directory.resolve("spool-" + node);
            if (Files.exists(spool)) {
                Project.delete(spool);
            }
            Files.createDirectory(spool);
            nodes.put(
                    node,
                    daemon(
                            "slurmd",
                            "-D",
                            "-N",
                            node,
                            "-d",
                            programs.resolve("slurmstepd").toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A node dies, with its daemon and all that Slurm started there; nothing is reported to anybody. */
    public void killNode(String node) {
        Set<ProcessHandle> tasks = carrying("SLURMD_NODENAME=" + node);
        tasks.retainAll(carrying("SLURM_CONF=" + configuration()));
        Process daemon = Objects.requireNonNull(nodes.get(node), node);
        // The daemon, then those that watch over tasks: none of them lives to report an end.
        daemon.destroyForcibly();
        tasks.stream()
                .flatMap(task -> task.parent().stream())
                .filter(parent -> parent.info()
                        .command()
                        .filter(command -> command.contains("slurmstepd"))
                        .isPresent())
                .distinct()
                .forEach(ProcessHandle::destroyForcibly);
        tasks.forEach(ProcessHandle::destroyForcibly);
        Daemons.awaitEnd(daemon);
    }

    private static Set<ProcessHandle> carrying(String variable) {
        return Processes.carrying(variable + "\0", List.of()).stream()
                .map(Processes.Found::handle)
                .collect(Collectors.toSet());
    }

    private void configure(int nodes) throws IOException {
        String host =
                Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().split("\\.", 2)[0];
        String user = System.getProperty("user.name");
        Path state = Files.createDirectory(directory.resolve("state"));
        List<String> lines = new ArrayList<>(List.of(
                "ClusterName=test",
                "SlurmctldHost=" + host + "(127.0.0.1)",
                "SlurmctldPort=" + FreePort.find(),
                "AuthType=auth/munge",
                "AuthInfo=socket=" + directory.resolve("munge/socket"),
                "SlurmUser=" + user,
                "SlurmdUser=" + user,
                "StateSaveLocation=" + state,
                "SlurmdSpoolDir=" + directory.resolve("spool-%n"),
                "SlurmctldPidFile=" + directory.resolve("slurmctld.pid"),
                "SlurmdPidFile=" + directory.resolve("slurmd-%n.pid"),
                "SlurmctldLogFile=" + directory.resolve("slurmctld.log"),
                "SlurmdLogFile=" + directory.resolve("slurmd-%n.log"),
                "ProctrackType=proctrack/linuxproc",
                "TaskPlugin=task/none",
                "JobAcctGatherType=jobacct_gather/none",
                "SelectType=select/cons_tres",
                "SelectTypeParameters=CR_Core",
                "SlurmdParameters=config_overrides",
                "ReturnToService=2",
                "MpiDefault=none",
                "SlurmdTimeout=5",
                "KillWait=20",
                "SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2",
                "PreemptType=preempt/partition_prio",
                "PreemptMode=REQUEUE",
                // So that no two clusters have runs of the same name in one store.
                "FirstJobId=" + (FIRST_JOB + new SecureRandom().nextInt(JOBS))));
        pluginDirectory().ifPresent(plugins -> lines.add("PluginDir=" + plugins));
        for (int node = 1; node <= nodes; node++) {
            lines.add("NodeName=n" + node + " NodeHostname=" + host + " NodeAddr=127.0.0.1 Port=" + FreePort.find()
                    + " CPUs=" + CPUS + " RealMemory=4000 State=UNKNOWN");
        }
        lines.add("PartitionName=spot Nodes=ALL Default=YES State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=20");
        lines.add("PartitionName=prod Nodes=ALL State=UP PriorityTier=10 PreemptMode=OFF");
        Files.write(configuration(), lines);
    }

    /** Where plugins are in unpacked packages; empty = Slurm is installed, and knows itself. */
    private Optional<Path> pluginDirectory() throws IOException {
        Path root = programs.resolveSibling("root");
        if (!Files.isDirectory(root)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith("auth_munge.so"))
                    .map(Path::getParent)
                    .findFirst();
        }
    }

    private Path configuration() {
        return directory.resolve("slurm.conf");
    }

    private Process daemon(String program, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(programs.resolve(program).toString()));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("output-" + ++outputs + ".log").toFile()));
        builder.environment().put("SLURM_CONF", configuration().toString());
        return builder.start();
    }

    private long idleNodes() {
        Command.Result result = command(List.of("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"));
        return result.exitCode() == 0 ? result.output().lines().distinct().count() : 0;
    }

    /** Variables by which Slurm's commands are found, and find the cluster. */
    public Map<String, String> environment() {
        return Map.of(
                "PATH",
                programs + File.pathSeparator + System.getenv("PATH"),
                "SLURM_CONF",
                configuration().toString());
    }

    /** Runs one of Slurm's commands, which must succeed, and returns what it printed. */
    public String run(String... command) {
        Command.Result result = command(List.of(command));
        if (result.exitCode() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " ended with " + result.exitCode()
                    + "; it printed:\n" + result.output());
        }
        return result.output().strip();
    }

    private Command.Result command(List<String> command) {
        List<String> all = new ArrayList<>(command);
        all.set(0, programs.resolve(command.get(0)).toString());
        return Command.run(environment(), LIMIT, all);
    }

    /** All jobs, and what the daemons wrote. */
    public String state() {
        return run("scontrol", "--oneliner", "show", "job") + "\n" + logs();
    }

    /** What the daemons wrote. */
    public String logs() {
        return DaemonLogs.below(directory, 2, file -> file.toString().endsWith("log"));
    }

    /** Ends all jobs, then the daemons, and whatever has the cluster's configuration in its environment. */
    @Override
    public void close() {
        try {
            endJobs();
        } finally {
            List<Process> all = new ArrayList<>(daemons);
            all.addAll(nodes.values());
            Daemons.end(all);
            Processes.carrying("SLURM_CONF=" + configuration(), List.of())
                    .forEach(left -> left.handle().destroyForcibly());
        }
    }

    /** Ends all jobs, and returns when none is left. */
    public void endJobs() {
        boolean isUp = !daemons.isEmpty() && daemons.stream().allMatch(Process::isAlive);
        if (isUp
                && command(List.of("scancel", "--user=" + System.getProperty("user.name")))
                                .exitCode()
                        == 0) {
            Patience.until(
                    "end of all jobs",
                    LIMIT,
                    () -> command(List.of("squeue", "--noheader")).output().isBlank(),
                    this::logs);
        }
    }
}
