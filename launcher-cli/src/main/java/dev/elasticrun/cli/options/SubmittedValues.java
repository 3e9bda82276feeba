/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import java.util.List;
import java.util.Set;

/**
 * Values given for agents on other machines, which get the name of their run from whoever starts them if none is given. They are
 * checked except for what only those machines have.
 */
final class SubmittedValues {
    /** Numbers of workers that stand for what a machine has. */
    private static final Set<String> COUNTED = Set.of("auto", "cpu", "gpu");

    /** What only the machine of an agent has. */
    private static final Set<String> OF_THE_MACHINE = Set.of(
            Settings.JAVA.option(), Settings.LOG_DIR.option(), Settings.BIND_ADDR.option(), Settings.BIND_TO.option());

    /** The check of local ranks, which needs the number of workers. */
    private static final String LOCAL_RANKS_CHECK = "local rank";

    /** Stands for a name that whoever starts the agents gives them. */
    private static final String RUN_ID_OF_THE_JOB = "job";

    private final GivenValues given;
    private final List<String> command;
    private final boolean workersAreCounted;

    SubmittedValues(GivenValues given) {
        this.given = given;
        command = given.command().map(GivenValue::texts).orElse(List.of());
        workersAreCounted = given.find(Settings.NPROC_PER_NODE)
                .map(GivenValue::last)
                .filter(COUNTED::contains)
                .isPresent();
    }

    /** @throws UsageException naming all that is wrong wherever the agents run */
    SubmittedLine line() {
        LaunchConfigBuilder builder = LaunchConfig.builder(command.isEmpty() ? "" : command.get(0));
        if (!given.isGiven(Settings.RUN_ID)) {
            builder.runId(RUN_ID_OF_THE_JOB);
        }
        given.set(setting -> !workersAreCounted || !setting.equals(Settings.NPROC_PER_NODE), builder);
        given.build(builder, this::counts);
        return new SubmittedLine(
                given.flags(),
                command,
                value(Settings.NNODES),
                workersAreCounted ? 0 : value(Settings.NPROC_PER_NODE),
                given.noEffect());
    }

    private boolean counts(String violated) {
        return switch (violated) {
            case GivenValues.PROGRAM_CHECK -> command.isEmpty();
            case LOCAL_RANKS_CHECK -> !workersAreCounted;
            default -> !OF_THE_MACHINE.contains(violated);
        };
    }

    /** The value of a setting with a default, which is known to be right. */
    private <T> T value(Setting<T> setting) {
        return given.find(setting)
                .map(value -> setting.kind().parse(value.texts()))
                .orElseGet(() -> SettingValues.DEFAULTS.get(setting));
    }
}
