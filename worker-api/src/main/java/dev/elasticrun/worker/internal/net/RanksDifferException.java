/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.CollectiveMismatchException;

/** Carries the notice that the ranks sent each other, from which each reads where the others are. */
public final class RanksDifferException extends CollectiveMismatchException {
    private static final long serialVersionUID = 1;

    private final transient MismatchNotice notice;

    public RanksDifferException(MismatchNotice notice) {
        super(notice.what());
        this.notice = notice;
    }

    /** Of any exception of its kind: one without a notice is a difference that was seen here. */
    public static MismatchNotice noticeOf(CollectiveMismatchException e) {
        return e instanceof RanksDifferException differ
                ? differ.notice
                : MismatchNotice.of(String.valueOf(e.getMessage()));
    }
}
