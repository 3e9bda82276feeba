/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.doctor.Doctor;
import dev.elasticrun.agent.doctor.DoctorOptions;
import dev.elasticrun.agent.doctor.DoctorReport;
import dev.elasticrun.agent.doctor.Health;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.view.DoctorJson;
import dev.elasticrun.cli.view.DoctorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code elastic-run doctor}: looks at this node as an agent would, and starts none. */
final class DoctorCommand {
    private static final String CHECKPOINT_SIZE = "--checkpoint-size";
    private static final String WAIT = "--wait";
    private static final String JSON = "--json";
    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);
    private static final String SYNOPSIS = "doctor [--json] [--checkpoint-size SIZE] [--wait TIME] [OPTIONS]";

    static final Subcommand COMMAND = new Subcommand("doctor", SYNOPSIS, DoctorCommand::model, DoctorCommand::run);

    private DoctorCommand() {}

    private static CommandLine model() {
        return CommandModel.examination(
                "doctor",
                SYNOPSIS,
                "Checks this node before a run: Java, directories, limits, the address that other nodes would be given,"
                        + " ports, the store. Takes the flags, variables and file of a launch, also those that are not"
                        + " listed here. Nodes that are checked at the same time with the same --run-id measure the ways"
                        + " between them. Exit code 0 without errors, 1 with one, 2 for wrong flags.",
                List.of(
                        Settings.RUN_ID,
                        Settings.RDZV_ENDPOINT,
                        Settings.RDZV_BACKEND,
                        Settings.RUN_KEY_FILE,
                        Settings.NNODES,
                        Settings.NPROC_PER_NODE,
                        Settings.LOCAL_ADDR,
                        Settings.BIND_ADDR,
                        Settings.PORT_RANGE,
                        Settings.TLS,
                        Settings.INSECURE,
                        Settings.TLS_CERT,
                        Settings.TLS_KEY,
                        Settings.TLS_CA,
                        Settings.ETCD_CA,
                        Settings.ETCD_CERT,
                        Settings.ETCD_KEY,
                        Settings.ETCD_USER,
                        Settings.ETCD_PASSWORD_FILE,
                        Settings.JAVA,
                        Settings.JAVA_OPTS,
                        Settings.RUNTIME,
                        Settings.LOG_DIR),
                CommandModel.switchOption("Print JSON.", JSON),
                CommandModel.valueOption(
                        CHECKPOINT_SIZE,
                        "SIZE",
                        "Size of a checkpoint (500k, 64m, 1g) for which there must be space and memory, and that other"
                                + " nodes fetch. Default: none is assumed."),
                CommandModel.valueOption(
                        WAIT,
                        "TIME",
                        "How long to wait for the other nodes of the run, where --run-id names it: for one less than the"
                                + " minimum of --nnodes, and for one at least; 0: for none. Default: "
                                + SettingTexts.text(USUAL_WAIT) + "."));
    }

    private static int run(Invocation call) {
        List<String> violations = new ArrayList<>();
        OptionalLong size = value(call, CHECKPOINT_SIZE, SettingTexts::size, violations).stream()
                .mapToLong(Long::longValue)
                .findFirst();
        Duration wait = value(call, WAIT, DoctorCommand::wait, violations).orElse(USUAL_WAIT);
        LaunchConfig config = LaunchOptions.examined(call.arguments(), call.environment(), violations);
        ControlClient.prepare();
        try {
            DoctorReport report = Doctor.examine(
                    config, new DoctorOptions(size, wait), news -> call.err().println("elastic-run: " + news));
            call.out().print(call.has(JSON) ? DoctorJson.of(report) : DoctorView.of(report));
            call.out().flush();
            return report.health() == Health.ERROR ? ExitCode.WORKER_FAILURE.code() : ExitCode.SUCCEEDED.code();
        } catch (LaunchConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()).lines().toList());
        }
    }

    private static Duration wait(String text) {
        Duration wait = SettingTexts.duration(text);
        if (wait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("at most " + SettingTexts.text(LONGEST_WAIT));
        }
        return wait;
    }

    private static <T> Optional<T> value(
            Invocation call, String flag, Function<String, T> parser, List<String> violations) {
        Optional<String> text = call.value(flag);
        try {
            return text.map(parser);
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(flag, text.orElse(""), String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }
}
