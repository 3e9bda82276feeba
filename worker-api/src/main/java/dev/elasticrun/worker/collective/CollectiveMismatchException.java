/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * Ranks called different operations, or the same one with different contents where all must be equal. The message names
 * the ranks, what each did, and where in the program. A retry cannot help: the program takes different paths on
 * different ranks.
 */
public final class CollectiveMismatchException extends RuntimeException {
    private final transient MismatchNotice notice;

    CollectiveMismatchException(String message) {
        this(MismatchNotice.of(message));
    }

    CollectiveMismatchException(MismatchNotice notice) {
        super(notice.what());
        this.notice = notice;
    }

    /** With where the ranks made their calls. */
    CollectiveMismatchException(MismatchNotice notice, String sites) {
        super(notice.what() + sites);
        this.notice = notice;
    }

    MismatchNotice notice() {
        return notice;
    }
}
