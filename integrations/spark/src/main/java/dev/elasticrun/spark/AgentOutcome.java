/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.bridge.AgentEnd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.UncheckedIOException;

/**
 * What a task sends to the driver: as bytes of its own, since an application may have another serializer for results, which
 * does not know records.
 *
 * @param executor its id
 * @param host of the executor
 */
record AgentOutcome(String executor, String host, AgentEnd end) implements Serializable {

    /** Whether the run is over for all nodes, or must be. */
    boolean endsRun() {
        return !end.left();
    }

    boolean succeeded() {
        return end.exitCode() == AgentEnd.SUCCEEDED;
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static AgentOutcome of(byte[] bytes) {
        try (ObjectInputStream in = new OwnClasses(bytes)) {
            return (AgentOutcome) in.readObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a task's result has a class that is not here", e);
        }
    }

    /** Finds the classes of this jar, whatever called. */
    private static final class OwnClasses extends ObjectInputStream {
        OwnClasses(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException, IOException {
            return description.getName().startsWith("dev.elasticrun.")
                    ? Class.forName(description.getName(), false, AgentOutcome.class.getClassLoader())
                    : super.resolveClass(description);
        }
    }
}
