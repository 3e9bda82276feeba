/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import dev.elasticrun.scheduler.Scheduler;
import dev.elasticrun.scheduler.SchedulerException;
import dev.elasticrun.scheduler.SubmittedJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Jobs by sbatch, squeue, scontrol and scancel. Keeps nothing: what a later command needs is with the elements in Slurm. */
final class SlurmScheduler implements Scheduler {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,9}");
    private static final Duration READ_EVERY = Duration.ofMillis(500);
    /** Each asks the controller, which serves the whole cluster. */
    private static final int READS_PER_QUESTION = 10;

    private final SlurmCommands commands;

    SlurmScheduler(SlurmCommands commands) {
        this.commands = commands;
    }

    @Override
    public String render(JobSpec job) {
        return SbatchFile.render(job);
    }

    @Override
    public SubmittedJob submit(JobSpec job) {
        String file = SbatchFile.render(job);
        Optional<String> storePartition = SlurmOptions.of(job).find(SlurmOption.STORE_PARTITION);
        List<String> arguments = new ArrayList<>(List.of("--parsable"));
        storePartition.ifPresent(partition -> arguments.add("--hold"));
        SlurmCommands.Result submitted = commands.runWith(file, "sbatch", arguments.toArray(String[]::new));
        String id = number(submitted.text());
        storePartition.ifPresent(partition -> place(id, partition));
        List<String> remarks = new ArrayList<>(submitted.remarks());
        absentOutput(job)
                .ifPresent(directory -> remarks.add("output: no directory " + directory
                        + " on this host; where it is not on a node either, Slurm ends the element without a word"));
        return new SubmittedJob(id, remarks);
    }

    private static Optional<Path> absentOutput(JobSpec job) {
        return SlurmOptions.of(job)
                .find(SlurmOption.OUTPUT)
                .map(output -> job.directory().resolve(output).getParent())
                .filter(directory -> !directory.toString().contains("%") && !Files.isDirectory(directory));
    }

    /** The element with the store goes where nothing is preempted, and only then may any of them start. */
    private void place(String id, String partition) {
        try {
            commands.run("scontrol", "update", "JobId=" + id + "_0", "Partition=" + partition);
            commands.run("scontrol", "release", id);
        } catch (SchedulerException e) {
            throw withdrawn(id, e);
        }
    }

    private SchedulerException withdrawn(String id, SchedulerException why) {
        List<String> lines = new ArrayList<>(why.lines());
        try {
            commands.run("scancel", id);
        } catch (SchedulerException e) {
            lines.addAll(e.lines());
            lines.add("job " + id + " is left, held; remove it with: scancel " + id);
        }
        return new SchedulerException(lines);
    }

    /** sbatch prints {@code NUMBER}, or {@code NUMBER;CLUSTER}. */
    private static String number(String printed) {
        String id = printed.strip().split(";", 2)[0];
        if (!NUMBER.matcher(id).matches()) {
            throw SchedulerException.of("output of sbatch", "'" + printed.strip() + "'", "the number of a job");
        }
        return id;
    }

    @Override
    public List<JobSummary> list() {
        return jobs(List.of()).stream().map(Elements::summary).toList();
    }

    @Override
    public JobStatus status(String id) {
        Elements job = job(id);
        Map<String, Integer> restarts = new HashMap<>();
        details(job).forEach(element -> restarts.put(element.id(), element.restarts()));
        return new JobStatus(
                job.summary(),
                job.comment().run(id),
                job.all().stream()
                        .map(element -> new JobStatus.Part(
                                element.id(),
                                element.host(),
                                element.state(),
                                restarts.getOrDefault(element.id(), 0),
                                element.reason()))
                        .toList());
    }

    @Override
    public void logs(String id, boolean follow, Consumer<String> line) {
        Elements job = job(id);
        Map<String, OutputFile> files = new LinkedHashMap<>();
        for (int reads = 0; ; reads++) {
            if (reads % READS_PER_QUESTION == 0) {
                job = reads == 0 ? job : job(id);
                details(job)
                        .forEach(element ->
                                files.computeIfAbsent(element.id(), name -> new OutputFile(Path.of(element.output()))));
            }
            // Asked before the files are read: what is written until then is read.
            boolean goesOn = follow && !job.live().isEmpty();
            files.forEach((element, file) -> file.read(text -> line.accept(element + ": " + text)));
            if (!goesOn || Thread.currentThread().isInterrupted()) {
                files.forEach((element, file) -> file.end(text -> line.accept(element + ": " + text)));
                requireOne(files.values());
                return;
            }
            LockSupport.parkNanos(READ_EVERY.toNanos());
        }
    }

    private static void requireOne(Collection<OutputFile> files) {
        if (!files.isEmpty() && files.stream().noneMatch(OutputFile::isThere)) {
            throw SchedulerException.of(
                    files.iterator().next().path().toString(),
                    "not on this host",
                    "output files in a directory that nodes and this host share; --scheduler-args output=FILE names them");
        }
    }

    @Override
    public String scale(String id, int nodes) {
        Elements job = job(id);
        int present = job.staying().size();
        if (present == 0) {
            throw ended(job);
        }
        job.comment().nodes().check(nodes);
        if (nodes == present) {
            return at(job, nodes) + " already";
        }
        return nodes < present ? shrink(job, nodes) : grow(job, nodes - present);
    }

    private String shrink(Elements job, int nodes) {
        List<String> surplus = job.surplus(nodes).stream().map(Element::id).toList();
        commands.run("scancel", surplus.toArray(String[]::new));
        return at(job, nodes) + ": " + String.join(", ", surplus) + " cancelled";
    }

    private String grow(Elements job, int more) {
        String jobId = job.staying().get(0).jobId();
        String file =
                commands.run("scontrol", "write", "batch_script", jobId, "-").text();
        String added = number(commands.runWith(
                        SbatchFile.added(file, job.job()),
                        "sbatch",
                        "--parsable",
                        "--array=0-" + (more - 1),
                        "--comment=" + job.comment().addedTo(job.job()))
                .text());
        return at(job, job.staying().size() + more) + ": " + more + " added as job " + added;
    }

    private static String at(Elements job, int nodes) {
        return name(job.job()) + " is at " + nodes + " of "
                + job.comment().nodes().maxNodes() + " nodes";
    }

    @Override
    public void cancel(String id) {
        Elements job = job(id);
        List<String> arrays = job.arrays();
        if (arrays.isEmpty()) {
            throw ended(job);
        }
        commands.run("scancel", arrays.toArray(String[]::new));
    }

    @Override
    public void close() {
        // Each command has ended when its answer is there.
    }

    private static SchedulerException ended(Elements job) {
        return SchedulerException.of(
                name(job.job()), "has ended, " + job.summary().state(), "a job with elements that run or wait");
    }

    /** The job, also if it has ended and Slurm still knows it. */
    private Elements job(String id) {
        if (!NUMBER.matcher(id).matches()) {
            throw SchedulerException.of(name(id), "no job", "slurm://NUMBER");
        }
        return jobs(List.of("--states=all")).stream()
                .filter(job -> job.job().equals(id))
                .findFirst()
                .orElseThrow(() -> SchedulerException.of(
                        name(id),
                        "not found",
                        "a job of yours that elastic-run submitted; Slurm forgets those that ended minutes ago"
                                + " (MinJobAge), and their output stays where --output put it"));
    }

    private List<Elements> jobs(List<String> more) {
        List<String> arguments =
                new ArrayList<>(List.of("--me", "--noheader", "--array", "--format=" + Element.FORMAT));
        arguments.addAll(more);
        return Elements.parse(
                commands.run("squeue", arguments.toArray(String[]::new)).text());
    }

    private List<ElementDetails> details(Elements job) {
        List<ElementDetails> all = new ArrayList<>();
        for (String array : job.all().stream().map(Element::array).distinct().toList()) {
            all.addAll(ElementDetails.parse(
                    commands.run("scontrol", "--oneliner", "show", "job", array).text()));
        }
        return all;
    }

    private static String name(String id) {
        return SlurmProvider.NAME + "://" + id;
    }
}
