/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

/** What the lines look like that an agent writes to its console. */
public enum LogFormat {
    TEXT,
    /** One object for each line. */
    JSON
}
