/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings of an agent: one table that contains for each its name, kind, default, bounds and help, and the types of
 * their values. API; below everything else of the agent but the files of its run.
 *
 * <pre>{@code
 * import dev.elasticrun.agent.config.Settings;
 * import dev.elasticrun.agent.launch.LaunchConfig;
 *
 * public final class ListSettings {
 *     public static void main(String[] args) {
 *         LaunchConfig config = LaunchConfig.builder("train.jar")
 *                 .set(Settings.NPROC_PER_NODE, 2)
 *                 .set(Settings.STANDALONE, true)
 *                 .build();
 *         Settings.all().forEach(setting ->
 *                 System.out.println(setting.option() + " " + String.join(" ", config.texts(setting))));
 *     }
 * }
 * }</pre>
 *
 * <p>Flags, variables and files name the same {@link dev.elasticrun.agent.config.Settings}.
 */
@NullMarked
package dev.elasticrun.agent.config;

import org.jspecify.annotations.NullMarked;
