/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.nio.file.Path;
import java.util.List;

/** Where etcd's programs are; fetched when first asked for, by whichever test process asks first. */
final class EtcdBinaries {
    private EtcdBinaries() {}

    private static final class Fetched {
        private static final Path DIRECTORY =
                FetchedPrograms.directory("etcd", List.of("etcd-server", "etcd-client"), List.of("etcd", "etcdctl"));
        private static final boolean CAN_SKIP_SYNC = FetchedPrograms.run(
                        List.of(DIRECTORY.resolve("etcd").toString(), "--help"))
                .contains("--unsafe-no-fsync");
    }

    static Path directory() {
        return Fetched.DIRECTORY;
    }

    static boolean canSkipSync() {
        return Fetched.CAN_SKIP_SYNC;
    }
}
