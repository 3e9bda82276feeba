/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.launch.ExitCode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The help text apart from the flags, in the order of a manual page. Pure. */
final class HelpText {
    private static final String INDENT = "  ";

    static final String[] NAME = {
        INDENT + "elastic-run - run distributed JVM jobs that survive the loss of workers and nodes"
    };

    static final String[] DESCRIPTION = {
        INDENT + "Starts this node's agent: it meets the agents of the other nodes, starts and watches the workers,",
        INDENT + "and restarts or re-forms them by the restart policy. A PROGRAM that ends in .jar runs on the JVM,",
        INDENT + "one that ends in .py in Python's interpreter, anything else is executed. The other commands ask an",
        INDENT + "agent about a run, or steer the run; each has a --help of its own.",
        "",
        INDENT + "The value of a flag is that of the command line, else that of its variable, else that of the",
        INDENT + "--config file, else of the engine that started the agent, else the default. --print-config shows",
        INDENT + "them all. In names _ is the same as -. All flags of torchrun are accepted: see migrate."
    };

    private HelpText() {}

    /** What follows the flags. */
    static String[] footer() {
        return Stream.of(environment(), files(), exitCodes(), examples(), seeAlso())
                .flatMap(List::stream)
                .map(line -> line.replace("%", "%%"))
                .toArray(String[]::new);
    }

    private static List<String> environment() {
        return section(
                "ENVIRONMENT",
                "ELASTICRUN_<FLAG>    the value of a flag: ELASTICRUN_MAX_RESTARTS, with a switch 1 or 0",
                "PET_<FLAG>           the same, for flags that torchrun has",
                "ELASTICRUN_CONFIG    the file of --config",
                "JAVA_HOME            the Java that runs the agent, and workers unless --java names one",
                "TMPDIR               where temporary files and, below elastic-run-UID, logs are",
                "ELASTIC_ERROR_FILE   where the root cause of a failed run is left for whoever started it",
                "COLUMNS              the width that status may take");
    }

    private static List<String> files() {
        return section(
                "FILES",
                "LOG-DIR/RUN-ID/NODE/events.jsonl                what the agent did, a JSON object per line",
                "LOG-DIR/RUN-ID/NODE/worker-L.A/stdout.log       what attempt A of the worker of local rank L",
                "LOG-DIR/RUN-ID/NODE/worker-L.A/stderr.log       wrote; error.json and hang.txt beside it",
                "/dev/shm/elastic-run-UID, or below $TMPDIR      what agents and workers of the host share");
    }

    private static List<String> exitCodes() {
        return section(
                "EXIT CODES",
                Arrays.stream(ExitCode.values())
                        .map(code -> String.format(Locale.ROOT, "%-5d%s", code.code(), code.meaning()))
                        .toArray(String[]::new));
    }

    private static List<String> examples() {
        return section(
                "EXAMPLES",
                "Four workers on this host; the healthy ones go on when one fails:",
                "  elastic-run --standalone --nproc-per-node 4 app.jar --steps 1000",
                "Two to four nodes that meet at an etcd, the same command on each of them:",
                "  elastic-run --nnodes 2:4 --rdzv-endpoint etcd1:2379 --run-id demo --restart-policy soft app.jar",
                "The same from a file, and that file written from flags:",
                "  elastic-run --nnodes 2:4 --run-id demo --print-config app.jar > run.yaml",
                "  elastic-run --config run.yaml --max-restarts 10",
                "See the state of the run:",
                "  elastic-run status --run-id demo",
                "Have Slurm start the agents, and start those again that it took away:",
                "  elastic-run submit --scheduler slurm --nnodes 2:4 --rdzv-endpoint etcd1:2379 app.jar");
    }

    private static List<String> seeAlso() {
        return section(
                "SEE ALSO",
                "docs/operations.md (flags, signals, logs, events), docs/architecture.md (failure model),",
                "docs/checkpoints.md, docs/collective.md, docs/slurm.md, docs/kubernetes.md, docs/ssh.md,",
                "docs/testing.md in the sources of elastic-run");
    }

    private static List<String> section(String title, String... lines) {
        return Stream.concat(Stream.of("", title), Arrays.stream(lines).map(line -> INDENT + line))
                .toList();
    }
}
