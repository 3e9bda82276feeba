/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The last line of a terminal, which is written again in its place. Whatever else goes to the terminal passes through here:
 * the line is removed before it and drawn again behind it, once the cursor is at the beginning of a line. Safe for use by
 * any thread; each call waits for the terminal.
 */
final class ProgressLine {
    private static final byte[] CLEAR = "\r\u001b[K".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream terminal;
    private final int columns;
    // Guarded by this.
    private String text = "";
    private boolean shown;
    private boolean isAtBeginning = true;

    /** @param columns of the terminal */
    ProgressLine(OutputStream terminal, int columns) {
        this.terminal = terminal;
        this.columns = columns;
    }

    /** A stream for what goes to the terminal, by this or another stream to it. */
    PrintStream around(OutputStream stream) {
        return stream((bytes, offset, length) -> pass(stream, bytes, offset, length));
    }

    /** A stream each piece of which is the new text of the line; nothing = there is no line. */
    PrintStream texts() {
        return stream(
                (bytes, offset, length) -> show(new String(bytes, offset, length, StandardCharsets.UTF_8).strip()));
    }

    private static PrintStream stream(Writer writer) {
        return new PrintStream(new Passage(writer), false, StandardCharsets.UTF_8);
    }

    private synchronized void pass(OutputStream stream, byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return;
        }
        clear();
        stream.write(bytes, offset, length);
        stream.flush();
        isAtBeginning = bytes[offset + length - 1] == '\n';
        draw();
    }

    private synchronized void show(String newest) throws IOException {
        clear();
        text = newest.length() < columns ? newest : newest.substring(0, Math.max(0, columns - 1));
        draw();
    }

    private void clear() throws IOException {
        if (shown) {
            shown = false;
            terminal.write(CLEAR);
            terminal.flush();
        }
    }

    private void draw() throws IOException {
        if (isAtBeginning && !text.isEmpty()) {
            shown = true;
            terminal.write(text.getBytes(StandardCharsets.UTF_8));
            terminal.flush();
        }
    }

    private interface Writer {
        void write(byte[] bytes, int offset, int length) throws IOException;
    }

    private static final class Passage extends OutputStream {
        private final Writer writer;

        Passage(Writer writer) {
            this.writer = writer;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            writer.write(bytes, offset, length);
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }
    }
}
