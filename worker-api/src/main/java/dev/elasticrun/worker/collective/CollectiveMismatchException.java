/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * Ranks called different operations, or the same one with different contents where all must be equal. The message names
 * the ranks and what each did. A retry cannot help: the program takes different paths on different ranks.
 */
public final class CollectiveMismatchException extends RuntimeException {
    CollectiveMismatchException(String message) {
        super(message);
    }
}
