/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.List;

/**
 * Why one worker failed.
 *
 * @param round round in which it worked; 0 = before its first
 * @param attempt generation of the node's worker group
 * @param rank global rank in that round; -1 = none
 * @param pid process id; 0 = never started
 * @param exitCode 0 to 255, 128+n for signal n; -1 = never started
 * @param message the first cause, in the worker's words or the agent's
 * @param stack stack trace; empty when there is none
 * @param lastStderr last lines that the worker wrote to standard error
 * @param logFile its standard error on that node
 * @param collateral a consequence of another failure, not a cause
 * @param heldMillis how long after the end its agent told of it, on the clock of that agent
 */
public record Failure(
        String nodeId,
        String hostLabel,
        long round,
        int slot,
        int attempt,
        int rank,
        long pid,
        int exitCode,
        String message,
        String stack,
        List<String> lastStderr,
        String logFile,
        boolean collateral,
        long heldMillis) {

    public Failure {
        lastStderr = List.copyOf(lastStderr);
    }

    /** One that was told of at once. */
    public Failure(
            String nodeId,
            String hostLabel,
            long round,
            int slot,
            int attempt,
            int rank,
            long pid,
            int exitCode,
            String message,
            String stack,
            List<String> lastStderr,
            String logFile,
            boolean collateral) {
        this(
                nodeId,
                hostLabel,
                round,
                slot,
                attempt,
                rank,
                pid,
                exitCode,
                message,
                stack,
                lastStderr,
                logFile,
                collateral,
                0);
    }

    /** What tells it from others of its run. */
    String key() {
        return nodeId + "/" + attempt + "." + slot;
    }

    /** The same, told of so long after the end. */
    public Failure heldFor(long millis) {
        return with(message, millis);
    }

    /** The same in other words. */
    public Failure saying(String words) {
        return with(words, heldMillis);
    }

    private Failure with(String words, long millis) {
        return new Failure(
                nodeId,
                hostLabel,
                round,
                slot,
                attempt,
                rank,
                pid,
                exitCode,
                words,
                stack,
                lastStderr,
                logFile,
                collateral,
                millis);
    }
}
