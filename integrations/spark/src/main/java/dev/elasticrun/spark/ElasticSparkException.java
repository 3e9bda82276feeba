/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

/** A run that was not started because of wrong settings, or that failed. The message names values and what was expected. */
public final class ElasticSparkException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ElasticSparkException(String message) {
        super(message);
    }

    public ElasticSparkException(String message, Throwable cause) {
        super(message, cause);
    }
}
