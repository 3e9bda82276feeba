/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;

/**
 * Why one worker failed.
 *
 * @param round round in which it worked; 0 = before its first
 * @param exitCode 0 to 255, 128+n for signal n; -1 = never started, or still running
 * @param collateral a consequence of another failure, not a cause
 * @param heldMillis how long after the end its agent reported it, on the clock of that agent
 */
public record Failure(Worker worker, long round, int exitCode, Evidence evidence, boolean collateral, long heldMillis) {

    /**
     * Which worker.
     *
     * @param slot its local rank
     * @param attempt generation of the node's worker group
     * @param rank global rank in the round; -1 = none
     * @param pid process id; 0 = never started
     */
    public record Worker(String nodeId, String hostLabel, int slot, int attempt, int rank, long pid) {}

    /**
     * What is known of the failure.
     *
     * @param message the first cause, in the worker's words or the agent's
     * @param stack stack trace; empty when there is none
     * @param lastStderr last lines that the worker wrote to standard error
     * @param logFile its standard error on that node; empty when there is none
     * @param savedFile what the agent saved of the worker before it killed it, on that node; empty when there is none
     */
    public record Evidence(
            FailureKind kind, String message, String stack, List<String> lastStderr, String logFile, String savedFile) {
        public Evidence {
            lastStderr = List.copyOf(lastStderr);
        }

        public static Evidence of(FailureKind kind, String message) {
            return new Evidence(kind, message, "", List.of(), "", "");
        }

        /** The same in other words. */
        public Evidence withMessage(String words) {
            return new Evidence(kind, words, stack, lastStderr, logFile, savedFile);
        }
    }

    public String nodeId() {
        return worker.nodeId();
    }

    public String hostLabel() {
        return worker.hostLabel();
    }

    public int slot() {
        return worker.slot();
    }

    public int attempt() {
        return worker.attempt();
    }

    public int rank() {
        return worker.rank();
    }

    public long pid() {
        return worker.pid();
    }

    public FailureKind kind() {
        return evidence.kind();
    }

    public String message() {
        return evidence.message();
    }

    public String stack() {
        return evidence.stack();
    }

    public List<String> lastStderr() {
        return evidence.lastStderr();
    }

    public String logFile() {
        return evidence.logFile();
    }

    public String savedFile() {
        return evidence.savedFile();
    }

    /** Identifies it among the failures of its run. */
    public String key() {
        return nodeId() + "/" + attempt() + "." + slot();
    }

    /** The same without what its worker wrote: neither its stack trace nor lines of its standard error. */
    public Failure withoutOutput() {
        Evidence rest = new Evidence(kind(), message(), "", List.of(), logFile(), savedFile());
        return new Failure(worker, round, exitCode, rest, collateral, heldMillis);
    }

    /** The same, reported this long after the end. */
    public Failure heldFor(long millis) {
        return new Failure(worker, round, exitCode, evidence, collateral, millis);
    }

    /** The same in other words. */
    public Failure withMessage(String words) {
        return new Failure(worker, round, exitCode, evidence.withMessage(words), collateral, heldMillis);
    }
}
