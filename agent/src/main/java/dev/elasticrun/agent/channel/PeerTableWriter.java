/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.channel;

import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.worker.contract.PeerTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Writes {@code peers/<round>} of a node directory. Called by the agent's loop, before the round's WORK. */
public final class PeerTableWriter {
    /** A worker may still be reading the table of the round before. */
    private static final long KEPT_ROUNDS = 2;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final Path nodeDirectory;
    private final Path peers;

    public PeerTableWriter(Path nodeDirectory) {
        this.nodeDirectory = nodeDirectory;
        this.peers = nodeDirectory.resolve("peers");
    }

    /** Readers see the whole table or none. Removes the tables of rounds older than the two before. */
    public void write(PeerTable table) throws IOException {
        Files.createDirectories(peers, PrivateFiles.DIRECTORY);
        PrivateFiles.replace(
                nodeDirectory.resolve(".peers"), peers.resolve(Long.toString(table.round())), table.encode());
        for (Path old : tables()) {
            if (Long.parseLong(old.getFileName().toString()) < table.round() - KEPT_ROUNDS) {
                Files.deleteIfExists(old);
            }
        }
    }

    private List<Path> tables() throws IOException {
        try (Stream<Path> files = Files.list(peers)) {
            return files.filter(file ->
                            NUMBER.matcher(file.getFileName().toString()).matches())
                    .toList();
        }
    }
}
