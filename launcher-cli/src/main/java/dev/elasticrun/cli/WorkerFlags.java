/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** How a worker's process is started. */
final class WorkerFlags {
    private WorkerFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Workers",
            List.of(
                    Flag.of(
                            "java",
                            "FILE",
                            "The java that runs a PROGRAM ending in .jar. Default: the one that runs the agent.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::java,
                            config -> config.workers().java()),
                    Flag.ifAny(
                            "java-opts",
                            "OPTIONS",
                            "Options of the workers' JVM, separated by spaces.",
                            FlagKind.WORDS,
                            LaunchConfigBuilder::javaOpts,
                            config -> config.workers().javaOpts()),
                    Flag.ifGiven(
                            "class-path",
                            "PATH",
                            "More class path for a jar.",
                            FlagKind.SEARCH_PATH,
                            LaunchConfigBuilder::classPath,
                            config -> config.workers().classPath()),
                    Flag.ifGiven(
                            "main-class",
                            "NAME",
                            "The jar's main class. Default: the one in its manifest.",
                            FlagKind.TEXT,
                            LaunchConfigBuilder::mainClass,
                            config -> config.workers().mainClass()),
                    Flag.many(
                            "env",
                            Flag.ASSIGNMENT,
                            "A variable for the workers; may be given several times.",
                            (builder, texts) -> builder.environment(FlagValues.variables(texts)),
                            config -> FlagValues.assignments(config.workers().environment())),
                    Flag.of(
                                    "runtime",
                                    "none|xgboost|NAME[:OPTION]",
                                    "What is prepared for a framework around each round; xgboost: a tracker, and where"
                                            + " it is; xgboost:own-tracker: only where rank 0 is to start its own.",
                                    FlagKind.TEXT,
                                    LaunchConfigBuilder::runtime,
                                    config -> config.workers().runtime())
                            .orElse("none"),
                    Flag.of(
                                    "role",
                                    "NAME",
                                    "Name of the workers' role.",
                                    FlagKind.TEXT,
                                    LaunchConfigBuilder::role,
                                    config -> config.workers().role())
                            .orElse("default")
                            .asInTorchrun()));
}
