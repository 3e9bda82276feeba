/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
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
    private final StringBuilder begun = new StringBuilder();
    private long position;

    OutputFile(Path path) {
        this.path = path;
    }

    /** Takes the lines that were written since the last call and are complete; none if the file is not there yet. */
    void read(Consumer<String> line) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            while (channel.read(block.clear(), position) > 0) {
                position += block.position();
                // A character of several bytes that is cut in two is shown as its bytes are, which is better than not
                // at all.
                take(StandardCharsets.UTF_8.decode(block.flip()).toString(), line);
            }
        } catch (NoSuchFileException notYet) {
            // An element without a node has written nothing.
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    /** Takes what is left of a last line without an end. */
    void end(Consumer<String> line) {
        if (begun.length() > 0) {
            line.accept(begun.toString());
            begun.setLength(0);
        }
    }

    private void take(String text, Consumer<String> line) {
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            begun.append(text, start, end);
            line.accept(begun.toString());
            begun.setLength(0);
            start = end + 1;
        }
        begun.append(text, start, text.length());
    }
}
