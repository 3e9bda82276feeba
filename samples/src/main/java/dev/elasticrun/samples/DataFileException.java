/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/** The data file cannot be used; the message names the file, the line and what was expected there. Retrying is useless. */
final class DataFileException extends RuntimeException {
    DataFileException(String message) {
        super(message);
    }

    DataFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
