/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

/** Whose log it is. */
public record LogOrigin(String run, String node) {}
