/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

/**
 * An option of jobs that only one scheduler knows.
 *
 * @param name as in {@code --scheduler-args NAME=VALUE}
 * @param label what its value looks like
 * @param help a sentence; names its default
 */
public record JobOption(String name, String label, String help) {}
