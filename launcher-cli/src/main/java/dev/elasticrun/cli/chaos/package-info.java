/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code elastic-run chaos}: a program on local agents under a seeded schedule of faults, and what that costs. What is
 * planned, measured and reported is pure; {@code Chaos}, {@code Storm} and what they start do the rest.
 */
@NullMarked
package dev.elasticrun.cli.chaos;

import org.jspecify.annotations.NullMarked;
