/* SPDX-License-Identifier: Apache-2.0 */
/** Records where a worker spends its time, by the flight recorder of its JVM. */
@NullMarked
package dev.elasticrun.agent.profile;

import org.jspecify.annotations.NullMarked;
