/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.network;

import dev.elasticrun.agent.launch.Executables;
import java.nio.file.Path;

/**
 * The programs by which interfaces and packet rules are made.
 *
 * @param ip of iproute2
 * @param tc of iproute2, too; needed for delays only
 * @param nft of nftables; needed for rules only
 */
public record NetworkTools(String ip, String tc, String nft) {

    /**
     * Looks for the programs. One that is not found and may not be needed stays a name that cannot be run.
     *
     * @param path as PATH has it
     * @throws IllegalStateException if there is no {@code ip}
     */
    public static NetworkTools find(String path) {
        String ip = Executables.find("ip", path)
                .orElseThrow(() -> new IllegalStateException("there is no ip of iproute2 on the PATH"))
                .toString();
        return new NetworkTools(ip, name("tc", path), name("nft", path));
    }

    private static String name(String program, String path) {
        return Executables.find(program, path).map(Path::toString).orElse(program);
    }
}
