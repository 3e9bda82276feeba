/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

/** The study cannot be driven here: the message names what and why. */
public final class StudyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StudyException(String message) {
        super(message);
    }
}
