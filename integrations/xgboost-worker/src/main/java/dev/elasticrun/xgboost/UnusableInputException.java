/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

/** No attempt can succeed with this input: the run has to end. */
final class UnusableInputException extends RuntimeException {
    UnusableInputException(String message) {
        super(message);
    }
}
