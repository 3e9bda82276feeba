/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobOption;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a job on Slurm can be given beside the flags of its agents. */
enum SlurmOption {
    PARTITION("partition", "NAME", "Partition of the elements. Default: the cluster's.", Form.NAMES, true),
    ACCOUNT("account", "NAME", "Account that is charged. Default: the user's.", Form.NAMES, true),
    QOS("qos", "NAME", "Quality of service. Default: the user's.", Form.NAMES, true),
    TIME(
            "time",
            "TIME",
            "Limit of each element, as MINUTES, HH:MM:SS or DAYS-HH:MM:SS. Default: the partition's.",
            Form.TIME,
            true),
    CPUS_PER_TASK(
            "cpus-per-task",
            "N",
            "Processors of each element, for its agent and workers. Default: the cluster's.",
            Form.COUNT,
            true),
    MEM("mem", "SIZE", "Memory of each element, such as 64G. Default: the cluster's.", Form.SIZE, true),
    GPUS_PER_NODE("gpus-per-node", "N", "GPUs of each element, N or TYPE:N. Default: none.", Form.GPUS, true),
    CONSTRAINT("constraint", "FEATURES", "Features that a node must have. Default: none.", Form.TEXT, true),
    OUTPUT(
            "output",
            "FILE",
            "Output of an element; its directory must exist. Default: JOB-NAME-%A_%a.out.",
            Form.TEXT,
            true),
    SIGNAL(
            "signal",
            "NAME@SECONDS",
            "Signal to agents so long before the time limit, such as TERM@120: they leave, and their elements are"
                    + " queued again. Default: none, and the limit ends an element.",
            Form.SIGNAL,
            true),
    GRACE(
            "grace",
            "SECONDS",
            "How long workers may take to stop, as --shutdown-timeout; less than GraceTime and KillWait of the"
                    + " cluster. Default: 25.",
            Form.COUNT,
            false),
    MAX_REQUEUES(
            "max-requeues",
            "N",
            "How often an element that was preempted, or left by its signal, is queued again. Default: 50.",
            Form.NUMBER,
            false),
    STORE_PARTITION(
            "store-partition",
            "NAME",
            "Element 0 runs in this partition, which must not be preempted, and its agent serves the store."
                    + " Default: none, and --rdzv-endpoint names an etcd.",
            Form.NAMES,
            false),
    STORE_PORT("store-port", "PORT", "Port of that store. Default: 2379.", Form.PORT, false),
    ELASTIC_RUN("elastic-run", "PATH", "The command on the nodes. Default: elastic-run.", Form.TEXT, false),
    SBATCH(
            "sbatch",
            "--OPTION;...",
            "More options of sbatch, separated by ';', such as --exclusive;--nice=100. Default: none.",
            Form.OPTIONS,
            false);

    private final String name;
    private final String label;
    private final String help;
    private final Form form;
    private final boolean isDirective;

    SlurmOption(String name, String label, String help, Form form, boolean isDirective) {
        this.name = name;
        this.label = label;
        this.help = help;
        this.form = form;
        this.isDirective = isDirective;
    }

    String optionName() {
        return name;
    }

    JobOption described() {
        return new JobOption(name, label, help);
    }

    /** Whether it is an option of sbatch with the same name. */
    boolean isDirective() {
        return isDirective;
    }

    /** What was expected in place of a value that is wrong; empty = it can be right. */
    Optional<String> expectation(String value) {
        return form.pattern.matcher(value).matches() ? Optional.empty() : Optional.of(form.expected);
    }

    /** What values look like. */
    private enum Form {
        NAMES("[A-Za-z0-9][A-Za-z0-9._@,-]*", "a name, or several separated by commas"),
        TIME("\\d+(:\\d\\d){0,2}|\\d+-\\d+(:\\d\\d){0,2}|UNLIMITED", "MINUTES, HH:MM:SS or DAYS-HH:MM:SS"),
        COUNT("[1-9]\\d{0,5}", "1 or more"),
        NUMBER("\\d{1,6}", "0 or more"),
        SIZE("[1-9]\\d{0,8}[KMGT]?", "a size such as 500M or 64G"),
        GPUS("([A-Za-z0-9_.-]+:)?[1-9]\\d{0,3}", "N or TYPE:N"),
        TEXT(
                "[^\"\\\\\\r\\n]*[^\"\\\\\\s][^\"\\\\\\r\\n]*",
                "a text without double quotes, backslashes and ends of lines"),
        SIGNAL(
                "(TERM|USR1|USR2)(@\\d{1,5})?",
                "TERM, USR1 or USR2, with @SECONDS before the limit; with B: it would reach no agent"),
        PORT("[1-9]\\d{0,4}", "1 to 65535"),
        OPTIONS("--[a-z][^;\"\\\\\\r\\n]*(;--[a-z][^;\"\\\\\\r\\n]*)*", "options that begin with --, separated by ';'");

        private final Pattern pattern;
        private final String expected;

        Form(String pattern, String expected) {
            this.pattern = Pattern.compile(pattern);
            this.expected = expected;
        }
    }
}
