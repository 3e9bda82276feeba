/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobBounds;
import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.SchedulerException;
import dev.elasticrun.scheduler.ShellWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The file that {@code sbatch} takes: an array with one element, and one agent, for each node, since Slurm preempts, fails and
 * queues again whole jobs, and an element is one. Pure.
 */
final class SbatchFile {
    /** Begins the line by which elements name the job that they belong to. */
    private static final String JOB = "job=";

    private static final Pattern JOB_LINE = Pattern.compile(JOB + "(\\$SLURM_ARRAY_JOB_ID|\\d+)");
    private static final String RUN_ID = "--run-id";
    private static final String ONCE = "--once";
    private static final String DEFAULT_COMMAND = "elastic-run";
    private static final String DEFAULT_PORT = "2379";
    /** Less than Slurm's KillWait of 30 s. */
    private static final String DEFAULT_GRACE = "25";

    private static final String DEFAULT_REQUEUES = "50";
    /** Of sbatch, where the signal names no other. */
    private static final int DEFAULT_SIGNAL_SECONDS = 60;
    /** By so much Slurm may send a signal too early. */
    private static final int SIGNAL_EARLY_SECONDS = 60;

    private static final int STORE_POLL_SECONDS = 5;
    private static final int STORE_POLLS = 120;

    private final JobSpec job;
    private final SlurmOptions options;
    private final StringBuilder text = new StringBuilder();

    private SbatchFile(JobSpec job) {
        this.job = job;
        this.options = SlurmOptions.of(job);
    }

    /** @throws SchedulerException naming each option whose value is wrong */
    static String render(JobSpec job) {
        return new SbatchFile(job).rendered();
    }

    /** The comment of its elements. */
    static JobComment comment(JobSpec job) {
        return new JobComment(JobBounds.of(job), job.flag(RUN_ID), Optional.empty());
    }

    /**
     * The same file for elements that are added to a job.
     *
     * @param file of any of its elements, as Slurm has it
     * @throws SchedulerException when elastic-run has not written it
     */
    static String added(String file, String job) {
        List<String> lines = file.lines().toList();
        if (lines.stream().noneMatch(SbatchFile::namesTheJob)) {
            throw SchedulerException.of(
                    "slurm://" + job,
                    "its file has no line " + JOB + "...",
                    "a file of elastic-run submit, which elements can be added to");
        }
        return lines.stream()
                .map(line -> (namesTheJob(line) ? JOB + job : line) + "\n")
                .collect(Collectors.joining());
    }

    private static boolean namesTheJob(String line) {
        return JOB_LINE.matcher(line).matches();
    }

    private String rendered() {
        directives();
        begin();
        boolean hasStore = options.find(SlurmOption.STORE_PARTITION).isPresent();
        if (hasStore) {
            awaitStore();
        }
        agent(hasStore);
        end();
        return text.toString();
    }

    private void directives() {
        line("#!/bin/bash");
        directive("job-name", job.name());
        directive("array", "0-" + (job.maxNodes() - 1));
        directive("nodes", "1");
        directive("ntasks", "1");
        line("#SBATCH --requeue");
        directive("open-mode", "append");
        directive("chdir", job.directory().toString());
        if (options.find(SlurmOption.OUTPUT).isEmpty()) {
            directive("output", job.name() + "-%A_%a.out");
        }
        directive("comment", comment(job).toString());
        for (SlurmOption option : SlurmOption.values()) {
            if (option.isDirective()) {
                options.find(option).ifPresent(value -> directive(option.optionName(), value));
            }
        }
        options.more().forEach(more -> line("#SBATCH " + moreDirective(more)));
    }

    private static String moreDirective(String option) {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals + 1) + inDirective(option.substring(equals + 1));
    }

    /**
     * A value on a line that begins with {@code #SBATCH}: sbatch knows quotes there, and takes what follows a # for a comment.
     *
     * @param value has no double quote, backslash or end of line
     */
    private static String inDirective(String value) {
        return ShellWords.isPlain(value) ? value : '"' + value + '"';
    }

    private void begin() {
        line("");
        options.find(SlurmOption.STORE_PARTITION).ifPresent(partition -> {
            line("# Element 0 serves the store and runs in partition " + partition + ". By hand:");
            line("#   job=$(sbatch --parsable --hold FILE) && scontrol update JobId=${job}_0 Partition=" + partition
                    + " && scontrol release $job");
            line("");
        });
        line("# Names the run. Elements that are added later belong to another array, and name this one here.");
        line(JOB + "$SLURM_ARRAY_JOB_ID");
        line("");
    }

    private void awaitStore() {
        line("# The agent of element 0 serves the store: the others wait until it has a node.");
        line("for _ in $(seq " + STORE_POLLS + "); do");
        line("  read -r state host < <(squeue --noheader --states=all --jobs=\"${job}_0\" --format='%T %B')");
        line("  case $state in");
        line("    RUNNING) break ;;");
        line("    COMPLETED) exit 0 ;;");
        line("  esac");
        line("  sleep " + STORE_POLL_SECONDS);
        line("done");
        line("if [ \"$state\" != RUNNING ]; then");
        line("  echo \"elastic-run: element ${job}_0, whose agent serves the store, did not run within "
                + STORE_POLLS * STORE_POLL_SECONDS + " s (its state: $state)\" >&2");
        line("  exit 5");
        line("fi");
        line("address=$(scontrol --oneliner show node \"$host\" | sed -n 's/.*NodeAddr=\\([^ ]*\\).*/\\1/p')");
        line("");
    }

    private void agent(boolean hasStore) {
        List<String> words = new ArrayList<>();
        String processors = options.find(SlurmOption.CPUS_PER_TASK)
                .map(count -> " --cpus-per-task=" + count)
                .orElse("");
        words.add("srun --ntasks=1 --kill-on-bad-exit=1" + processors);
        words.add(ShellWords.quoted(options.get(SlurmOption.ELASTIC_RUN, DEFAULT_COMMAND)));
        if (comment(job).runId().isEmpty()) {
            words.add(RUN_ID + "=\"$job\"");
        }
        if (job.flag(ONCE).isEmpty()) {
            words.add(ONCE);
        }
        if (hasStore) {
            words.add("--rdzv-backend=embedded --rdzv-endpoint=\"$address:"
                    + options.get(SlurmOption.STORE_PORT, DEFAULT_PORT) + "\"");
            job.flagUnlessGiven("--first-contact-timeout", "120s").ifPresent(words::add);
        }
        job.flagUnlessGiven("--shutdown-timeout", options.get(SlurmOption.GRACE, DEFAULT_GRACE) + "s")
                .ifPresent(words::add);
        options.find(SlurmOption.SIGNAL)
                .filter(signal -> signal.startsWith("USR"))
                .flatMap(signal -> job.flagUnlessGiven("--drain-signal", signal.split("@", 2)[0]))
                .ifPresent(words::add);
        job.flags().forEach(flag -> words.add(ShellWords.quoted(flag)));
        words.add("--");
        job.command().forEach(word -> words.add(ShellWords.quoted(word)));
        line(String.join(" \\\n  ", words));
        line("rc=$?");
        line("");
    }

    private void end() {
        line("case $rc in");
        line("  0 | 4 | 6)");
        line(
                "    # The run is over. Elements that get their node much later would begin it anew: by then the store has");
        line("    # forgotten it.");
        line("    added=$(squeue --me --noheader --states=PENDING --format='%F %k' | sed -n \"s/ " + JobComment.MARK
                + ",.*,of=$job\\$//p\")");
        line("    scancel --quiet --state=PENDING \"$job\" $added");
        line("    ;;");
        line("  143)");
        requeue();
        line("    ;;");
        line("esac");
        line("exit $rc");
    }

    /** Of the ends by 143 those that Slurm asked for: after a stop of the run, or of the node, nothing may come back. */
    private void requeue() {
        line(
                "    # Slurm does not queue an element again that ends within the grace time of its preemption. The last element");
        line("    # has the number of the whole array as its SLURM_JOB_ID.");
        line("    element=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID");
        line("    shown=$(scontrol --oneliner show job \"$element\")");
        line("    again=");
        line("    case $shown in *PreemptTime=[0-9]*) again=yes ;; esac");
        options.find(SlurmOption.SIGNAL).ifPresent(signal -> {
            int before = seconds(signal) + SIGNAL_EARLY_SECONDS;
            line("    end=${shown#* EndTime=}");
            line("    if end=$(date --date=\"${end%% *}\" +%s) && [ \"$(date +%s)\" -ge $((end - " + before
                    + ")) ]; then");
            line("      again=yes");
            line("    fi");
        });
        line("    if [ -n \"$again\" ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt "
                + options.get(SlurmOption.MAX_REQUEUES, DEFAULT_REQUEUES) + " ]; then");
        line("      scontrol requeue \"$element\"");
        line("    fi");
    }

    private static int seconds(String signal) {
        int at = signal.indexOf('@');
        return at < 0 ? DEFAULT_SIGNAL_SECONDS : Integer.parseInt(signal.substring(at + 1));
    }

    private void directive(String option, String value) {
        line("#SBATCH --" + option + "=" + inDirective(value));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
