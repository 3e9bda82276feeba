/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Micro-benchmarks of what a worker does at every step. Not part of what users get. Not null-marked: JMH sets the fields of
 * a state before it calls.
 */
package dev.elasticrun.benchmarks;
