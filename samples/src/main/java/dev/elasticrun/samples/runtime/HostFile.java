/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.runtime;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code --runtime host-file}: a file per round with a line for each node in the order of ranks, {@code ADDRESS slots=N},
 * as programs read it that find each other by one. Workers get its path as {@code HOST_FILE}.
 */
public final class HostFile implements FrameworkRuntimeProvider {
    static final String VALUE = "HOST_FILE";

    @Override
    public String name() {
        return "host-file";
    }

    @Override
    public FrameworkRuntime create(String option) {
        if (!option.isEmpty()) {
            throw new IllegalArgumentException("expected: no option");
        }
        return new Writer();
    }

    private static final class Writer implements FrameworkRuntime {
        @Override
        public Set<String> reservedNames() {
            return Set.of(VALUE);
        }

        @Override
        public PreparedRound open(RuntimeRound round) throws IOException {
            List<String> lines = round.nodes().stream()
                    .map(node -> node.address() + " slots=" + node.slots())
                    .toList();
            Path file = Files.write(round.directory().resolve("hosts." + round.number()), lines);
            return new Written(file);
        }
    }

    private record Written(Path file) implements PreparedRound {
        @Override
        public Map<String, String> values(int rank) {
            return Map.of(VALUE, file.toString());
        }

        @Override
        public void close() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
