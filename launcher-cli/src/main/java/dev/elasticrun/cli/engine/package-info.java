/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What an engine that started this process gives it in its environment: a class per engine reads its variables as values of
 * settings, which count where no flag, variable or file of ours has one. Pure.
 */
@NullMarked
package dev.elasticrun.cli.engine;

import org.jspecify.annotations.NullMarked;
