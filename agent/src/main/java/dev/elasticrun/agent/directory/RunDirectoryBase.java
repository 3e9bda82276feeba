/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where run directories can be: shared memory, then the temporary directory. */
final class RunDirectoryBase {
    private RunDirectoryBase() {}

    static List<Path> candidates() {
        List<Path> bases = new ArrayList<>(List.of(Path.of("/dev/shm")));
        bases.addAll(disks());
        return bases;
    }

    /** Where there is more room: the temporary directory. */
    static List<Path> disks() {
        List<Path> bases = new ArrayList<>();
        String temporary = System.getenv("TMPDIR");
        if (temporary != null && !temporary.isBlank()) {
            bases.add(Path.of(temporary).toAbsolutePath());
        }
        bases.add(Path.of("/tmp"));
        return bases.stream().distinct().toList();
    }

    static void check(Path base, long leastSpace) throws IOException {
        if (!Files.isDirectory(base) || !Files.isWritable(base)) {
            throw new IOException("not a writable directory");
        }
        long space = Files.getFileStore(base).getUsableSpace();
        if (space < leastSpace) {
            throw new IOException((space >> 20) + " MiB free (expected: at least " + (leastSpace >> 20) + ")");
        }
    }

    /** The user's directory below the base, made if missing and refused if others could have put files there. */
    static Path ownedBy(Path base) throws IOException {
        Path directory = nameIn(base);
        OwnDirectory.make(directory);
        return directory;
    }

    static Path nameIn(Path base) throws IOException {
        return base.resolve("elastic-run-" + userId());
    }

    /** Effective user id of this process. */
    static int userId() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("Uid:")) {
                return Integer.parseUnsignedInt(
                        line.substring("Uid:".length()).trim().split("\\s+", 3)[1]);
            }
        }
        throw new IOException("no Uid line in /proc/self/status");
    }
}
