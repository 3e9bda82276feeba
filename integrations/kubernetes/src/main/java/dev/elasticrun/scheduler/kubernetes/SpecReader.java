/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.SchedulerException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the options of a job, and what the user's flags of agents mean for its pods. */
final class SpecReader {
    private static final Pattern JOB_NAME = Pattern.compile("[a-z]([a-z0-9-]{0,48}[a-z0-9])?");
    private static final String SHUTDOWN_TIMEOUT = "--shutdown-timeout";
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);
    /** What an agent takes beside its workers' grace: it leaves first, and waits for processes that cannot be killed. */
    private static final Duration AGENT_GRACE = Duration.ofSeconds(15);
    /** Kubernetes' own default, which is for a Job that has one pod at a time. */
    private static final long FAILURES_OF_A_NODE = 6;

    private static final int HOUR = 3600;

    private final JobSpec job;
    private final OptionReader options;

    private SpecReader(JobSpec job) {
        this.job = job;
        this.options = new OptionReader(job.options());
    }

    /** @throws SchedulerException with all that is wrong */
    static ManifestSpec read(JobSpec job) {
        return new SpecReader(job).read();
    }

    private ManifestSpec read() {
        if (!JOB_NAME.matcher(job.name()).matches()) {
            options.wrong(
                    "--job-name",
                    job.name(),
                    "a lower-case letter, then such letters, digits and '-' between them, at most 50 characters");
        }
        Form form = form();
        TrainerRuntime runtime = runtime(form);
        if (form == Form.TRAINJOB) {
            options.refuse(Options.TTL, "none with form=trainjob: a TrainJob is kept until it is deleted");
        }
        ManifestSpec spec = new ManifestSpec(
                job,
                form,
                options.objectName(Options.NAMESPACE),
                image(),
                options.text(Options.AGENT).orElse("elastic-run"),
                resources(),
                options.quantity(Options.SHM_SIZE).orElse("1Gi"),
                placement(),
                store(form),
                options.objectName(Options.RUN_KEY_SECRET),
                graceSeconds(),
                options.number(Options.BACKOFF_LIMIT, failures()),
                options.time(Options.TTL, HOUR),
                runtime);
        if (job.flag("--run-key-file").isPresent()) {
            options.refuse(Options.RUN_KEY_SECRET, "none with --run-key-file");
        }
        if (spec.store() instanceof StorePlace.InAgent) {
            options.refuse(Options.RUN_KEY_SECRET, "several nodes, or an etcd");
        }
        if (spec.resources().gpus() == 0) {
            options.refuse(Options.GPU_RESOURCE, "gpus beside it");
        }
        options.check();
        return spec;
    }

    private int failures() {
        return (int) Math.min(Integer.MAX_VALUE, FAILURES_OF_A_NODE * job.maxNodes());
    }

    private String image() {
        if (!options.has(Options.IMAGE)) {
            options.wrong(
                    Options.IMAGE.name(), "not given", "an image with the agent's command, a JVM and the program");
        }
        return options.text(Options.IMAGE).orElse("");
    }

    private Form form() {
        Optional<String> text = options.text(Options.FORM);
        if (text.isEmpty()) {
            return Form.JOB;
        }
        Optional<Form> form = Form.named(text.get());
        if (form.isEmpty()) {
            options.wrong(Options.FORM.name(), text.get(), Options.FORM.label().replace("|", ", "));
        }
        return form.orElse(Form.JOB);
    }

    private TrainerRuntime runtime(Form form) {
        if (form != Form.TRAINJOB) {
            options.refuse(Options.RUNTIME, "form=trainjob beside it");
            options.refuse(Options.ML_POLICY, "form=trainjob beside it");
            return new TrainerRuntime.Made(TrainerRuntime.Policy.NONE);
        }
        Optional<String> existing = options.objectName(Options.RUNTIME);
        if (existing.isPresent()) {
            options.refuse(Options.ML_POLICY, "none with runtime, which has one");
            Options.OF_PODS.forEach(option -> options.refuse(option, "none with runtime, which describes the pods"));
            return new TrainerRuntime.Existing(existing.get());
        }
        return new TrainerRuntime.Made(policy());
    }

    private TrainerRuntime.Policy policy() {
        String text = options.text(Options.ML_POLICY).orElse("torch");
        return switch (text) {
            case "torch" -> TrainerRuntime.Policy.TORCH;
            case "xgboost" -> TrainerRuntime.Policy.XGBOOST;
            case "none" -> TrainerRuntime.Policy.NONE;
            default -> {
                options.wrong(
                        Options.ML_POLICY.name(),
                        text,
                        Options.ML_POLICY.label().replace("|", ", "));
                yield TrainerRuntime.Policy.NONE;
            }
        };
    }

    private Resources resources() {
        return new Resources(
                options.quantity(Options.CPU),
                options.quantity(Options.MEMORY),
                options.number(Options.GPUS, 0),
                options.text(Options.GPU_RESOURCE).orElse("nvidia.com/gpu"));
    }

    private Placement placement() {
        return new Placement(
                options.objectName(Options.SERVICE_ACCOUNT),
                options.objectName(Options.PULL_SECRET),
                options.objectName(Options.PRIORITY_CLASS),
                Placement.selector(options.list(Options.NODE_SELECTOR, Placement.SELECTOR)),
                Placement.tolerations(options.list(Options.TOLERATIONS, Placement.TOLERATION)));
    }

    private StorePlace store(Form form) {
        boolean isGiven = job.flag("--rdzv-endpoint").isPresent();
        Optional<String> image = options.text(Options.ETCD_IMAGE);
        if (job.flag("--standalone").isPresent() && job.maxNodes() > 1) {
            options.wrong("--standalone", "with up to " + job.maxNodes() + " nodes", "one node");
        }
        if (form == Form.JOBSET) {
            options.refuse(Options.ETCD_STORAGE, "none with form=jobset: its etcd is a Job");
        }
        if (isGiven) {
            options.refuse(Options.ETCD_IMAGE, "none with --rdzv-endpoint");
        }
        if (!options.has(Options.ETCD_IMAGE)) {
            options.refuse(Options.ETCD_STORAGE, "etcd-image beside it");
            if (!isGiven && job.maxNodes() > 1) {
                options.wrong(
                        "--rdzv-endpoint",
                        "not given",
                        "HOST:PORT of an etcd, or the option etcd-image for one of the job's own");
            }
        }
        if (image.isPresent() && !isGiven) {
            return new StorePlace.OfJob(image.get(), options.quantity(Options.ETCD_STORAGE));
        }
        return isGiven ? new StorePlace.Given() : new StorePlace.InAgent();
    }

    private long graceSeconds() {
        Optional<String> text = job.flag(SHUTDOWN_TIMEOUT);
        Duration shutdown = text.isEmpty() ? SHUTDOWN : shutdownTimeout(text.get());
        return TimeText.seconds(shutdown.plus(AGENT_GRACE));
    }

    private Duration shutdownTimeout(String text) {
        Optional<Duration> time = TimeText.parse(text);
        if (time.isEmpty()) {
            options.wrong(SHUTDOWN_TIMEOUT, text, TimeText.EXPECTED);
        }
        return time.orElse(SHUTDOWN);
    }
}
