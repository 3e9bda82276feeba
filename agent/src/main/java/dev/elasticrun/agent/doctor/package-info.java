/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checks a node before a run. Verdicts ({@code ...Verdict}) are pure and receive what probes found; probes change nothing that
 * stays. API for commands: {@link dev.elasticrun.agent.doctor.Doctor} and what it returns.
 */
@NullMarked
package dev.elasticrun.agent.doctor;

import org.jspecify.annotations.NullMarked;
