/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

/** The least severe lines of its own that an agent writes to its console. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG
}
