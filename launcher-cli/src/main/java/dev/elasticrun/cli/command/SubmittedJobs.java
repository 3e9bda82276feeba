/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.scheduler.JobAddress;
import dev.elasticrun.cli.scheduler.JobJson;
import dev.elasticrun.cli.scheduler.JobText;
import dev.elasticrun.cli.scheduler.Schedulers;
import dev.elasticrun.cli.text.PlainText;
import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import dev.elasticrun.scheduler.Scheduler;
import dev.elasticrun.scheduler.SchedulerException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.OptionSpec;

/** What commands do about jobs of schedulers: {@code SCHEME://ID} in the place of a run. */
final class SubmittedJobs {
    static final String ADDRESS = "SCHEME://ID";
    static final String HELP = "A job of a scheduler, such as slurm://42, in the place of a run.";

    private SubmittedJobs() {}

    /** What is done with a scheduler. */
    @FunctionalInterface
    interface Body {
        void run(Scheduler scheduler);
    }

    /**
     * The job that a command is about; empty = it is about a run.
     *
     * @throws UsageException if the argument is something else
     */
    static Optional<JobAddress> address(Invocation call) {
        return call.argument().map(text -> JobAddress.parse(text)
                .orElseThrow(() -> UsageException.of(
                        "argument", text, "no arguments here but " + ADDRESS + "; --run-id names a run")));
    }

    static int status(Invocation call, JobAddress job) {
        only(call, job, "--json");
        return with(call, job, scheduler -> {
            JobStatus status = scheduler.status(job.id());
            Invocation.print(
                    call.has("--json") ? JobJson.status(job, status) : JobText.status(job, status), call.out());
        });
    }

    static int logs(Invocation call, JobAddress job) {
        only(call, job, "--follow", "--raw");
        boolean isRaw = call.has("--raw");
        Consumer<String> print = line -> {
            call.out().println(isRaw ? line : PlainText.colouredLine(line));
            if (call.out().checkError()) {
                // Nobody reads any more: what follows the job ends.
                Thread.currentThread().interrupt();
            }
        };
        return with(call, job, scheduler -> scheduler.logs(job.id(), call.has("--follow"), print));
    }

    static int scale(Invocation call, JobAddress job, int nodes) {
        only(call, job, "--yes");
        return with(call, job, scheduler -> Invocation.print(scheduler.scale(job.id(), nodes) + "\n", call.out()));
    }

    static int list(Invocation call, JobAddress scheduler) {
        return with(call, scheduler, open -> {
            List<JobSummary> jobs = open.list();
            String name = scheduler.scheduler();
            Invocation.print(call.has("--json") ? JobJson.list(name, jobs) : JobText.list(name, jobs), call.out());
        });
    }

    static int cancel(Invocation call, JobAddress job) {
        return with(call, job, scheduler -> {
            scheduler.cancel(job.id());
            Invocation.print("cancelled " + job + "\n", call.out());
        });
    }

    private static int with(Invocation call, JobAddress job, Body body) {
        return with(call, Schedulers.named(job.scheduler(), job.toString()).open(call.environment()), body);
    }

    /**
     * Uses a scheduler, and prints what it cannot do.
     *
     * @return what the process is to exit with
     */
    static int with(Invocation call, Scheduler opened, Body body) {
        try (Scheduler scheduler = opened) {
            body.run(scheduler);
            return ExitCode.SUCCEEDED.code();
        } catch (SchedulerException e) {
            e.lines().forEach(line -> call.err().println("elastic-run: " + PlainText.line(line)));
            return ExitCode.USAGE.code();
        }
    }

    /** Flags about a run mean nothing for a job. */
    private static void only(Invocation call, JobAddress job, String... allowed) {
        List<String> violations = call.arguments().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !Arrays.asList(allowed).contains(name))
                .map(name -> name + ": given (expected: none with " + job + ", where "
                        + (allowed.length == 1 ? "only " : "") + String.join(" and ", allowed) + " can be given)")
                .toList();
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
    }
}
