/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.SchedulerException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** The output of one element, from its beginning on. Not safe for use by several threads. */
final class OutputFile {
    private static final int BLOCK = 64 << 10;

    private final Path path;
    private boolean isThere;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private long position;

    OutputFile(Path path) {
        this.path = path;
    }

    /** Takes the lines that were written since the last call and are complete; none if the file is not there yet. */
    void read(Consumer<String> line) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            isThere = true;
            while (channel.read(block.clear(), position) > 0) {
                position += block.position();
                take(block.flip(), line);
            }
        } catch (NoSuchFileException notYet) {
            // An element without a node has written nothing.
        } catch (IOException e) {
            throw SchedulerException.of(
                    path.toString(), String.valueOf(e.getMessage()), "a file that can be read here");
        }
    }

    Path path() {
        return path;
    }

    /** Whether it was read. */
    boolean isThere() {
        return isThere;
    }

    /** Takes what is left of a last line without an end. */
    void end(Consumer<String> line) {
        if (begun.size() > 0) {
            complete(line);
        }
    }

    private void take(ByteBuffer block, Consumer<String> line) {
        while (block.hasRemaining()) {
            byte next = block.get();
            if (next == '\n') {
                complete(line);
            } else {
                begun.write(next);
            }
        }
    }

    private void complete(Consumer<String> line) {
        line.accept(begun.toString(StandardCharsets.UTF_8));
        begun.reset();
    }
}
