/* SPDX-License-Identifier: Apache-2.0 */
/** From workers' log files to the console. */
@NullMarked
package dev.elasticrun.agent.logs;

import org.jspecify.annotations.NullMarked;
