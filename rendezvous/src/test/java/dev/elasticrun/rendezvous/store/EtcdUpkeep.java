/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an operator does to an etcd, or should have done. */
public final class EtcdUpkeep {
    private static final Pattern REVISION = Pattern.compile("\"revision\":(\\d+)");
    private static final String VALUE = "x".repeat(100_000);
    private static final int MOST_WRITES = 1_000;

    private EtcdUpkeep() {}

    /** Forgets all but the newest revision. */
    public static void compact(EtcdProcess etcd) {
        Matcher revision = REVISION.matcher(etcd.ctl("get", "/none", "-w", "json"));
        if (!revision.find()) {
            throw new IllegalStateException("no revision in the answer");
        }
        etcd.ctl("compaction", "--physical", revision.group(1));
    }

    /** Writes until a quota given by {@code --quota-backend-bytes} is used up. */
    public static void fill(EtcdProcess etcd) {
        for (int i = 0; i < MOST_WRITES; i++) {
            if (etcd.ctl("put", "/filler/" + i, VALUE).contains("database space exceeded")) {
                return;
            }
        }
        throw new IllegalStateException("there is still space (expected: a small --quota-backend-bytes)");
    }

    /** Against {@link #fill}. */
    public static void makeSpace(EtcdProcess etcd) {
        etcd.ctl("del", "--prefix", "/filler/");
        compact(etcd);
        etcd.ctl("defrag");
        etcd.ctl("alarm", "disarm");
    }
}
