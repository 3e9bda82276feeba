/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package dev.elasticrun.scheduler.slurm;

import org.jspecify.annotations.NullMarked;
