/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.reuse;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/** Standard output, or errors, which go to another file from time to time: libraries keep the stream that they found first. */
final class SwitchedOutput extends OutputStream {
    // Guarded by this.
    private OutputStream target;
    private String file = "";

    private SwitchedOutput(FileDescriptor first) {
        this.target = new FileOutputStream(first);
    }

    static SwitchedOutput ofOut() {
        SwitchedOutput output = new SwitchedOutput(FileDescriptor.out);
        System.setOut(output.printStream("stdout.encoding"));
        return output;
    }

    static SwitchedOutput ofErr() {
        SwitchedOutput output = new SwitchedOutput(FileDescriptor.err);
        System.setErr(output.printStream("stderr.encoding"));
        return output;
    }

    private PrintStream printStream(String encoding) {
        String name = System.getProperty(encoding);
        return new PrintStream(this, true, name == null ? Charset.defaultCharset() : Charset.forName(name));
    }

    /** What is written from now on is appended to that file; the first is where the process writes already. */
    synchronized void to(String next) throws IOException {
        if (!file.isEmpty() && !file.equals(next)) {
            OutputStream before = target;
            target = new FileOutputStream(next, true);
            before.close();
        }
        file = next;
    }

    @Override
    public synchronized void write(int value) throws IOException {
        target.write(value);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        target.write(bytes, offset, length);
    }
}
