/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What {@code elastic-run submit} and the commands about submitted jobs need of a scheduler that starts agents on nodes. A
 * scheduler is a module of its own with a {@link dev.elasticrun.scheduler.SchedulerProvider}, found by {@link
 * java.util.ServiceLoader}. No type here knows an agent or a store.
 */
@NullMarked
package dev.elasticrun.scheduler;

import org.jspecify.annotations.NullMarked;
