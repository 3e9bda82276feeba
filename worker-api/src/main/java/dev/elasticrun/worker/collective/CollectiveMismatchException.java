/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * Ranks called different operations, or the same one with different contents where all must be equal. The message names
 * the ranks, what each did, and where in the program. A retry cannot help: the program takes different paths on
 * different ranks.
 */
public class CollectiveMismatchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CollectiveMismatchException(String message) {
        super(message);
    }
}
