/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import java.util.List;

/**
 * The programs by which interfaces and packet rules are made, on the PATH or fetched.
 *
 * @param ip of iproute2
 * @param tc of iproute2, too
 * @param nft of nftables
 */
record NetworkTools(String ip, String tc, String nft) {
    static NetworkTools find() {
        return new NetworkTools(find("iproute2", "ip"), find("iproute2", "tc"), find("nftables", "nft"));
    }

    private static String find(String packageName, String program) {
        return FetchedPrograms.directory(packageName, List.of(packageName), List.of(program))
                .resolve(program)
                .toString();
    }
}
