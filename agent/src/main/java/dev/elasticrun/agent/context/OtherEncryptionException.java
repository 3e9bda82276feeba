/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

/** The run encrypts the communication of its nodes, and this agent would not, or the reverse. */
public final class OtherEncryptionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean encrypted;

    /** @param encrypted what the run does */
    public OtherEncryptionException(boolean encrypted, String node, String run) {
        super("--tls: " + (encrypted ? "off" : "on") + " (expected: " + (encrypted ? "on" : "off")
                + ", with which node " + node + " of run " + run + " was started)");
        this.encrypted = encrypted;
    }

    public boolean encrypted() {
        return encrypted;
    }
}
