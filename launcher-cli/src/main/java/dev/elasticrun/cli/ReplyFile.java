/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.rendezvous.record.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * Writes the root cause of a failed run to the file that {@code ELASTIC_ERROR_FILE} names, as an agent has its workers
 * do: in the form of a worker's error file, with the place of the failure and the exit code. A run that failed without
 * a worker's failure leaves none.
 */
final class ReplyFile {
    static final String VARIABLE = "ELASTIC_ERROR_FILE";

    private ReplyFile() {}

    /** Replaces what is there. A file that cannot be written is worth a warning and changes nothing else. */
    static void write(Map<String, String> environment, LaunchResult result, Instant now) {
        String name = environment.getOrDefault(VARIABLE, "");
        if (name.isEmpty() || result.succeeded() || result.failures().isEmpty()) {
            return;
        }
        try {
            Path file = Path.of(name).toAbsolutePath();
            Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            Files.write(temporary, json(result.failures().get(0), now));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            LoggerFactory.getLogger(ReplyFile.class).warn("cannot write {} {}: {}", VARIABLE, name, e.toString());
        }
    }

    private static byte[] json(Failure root, Instant now) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json = mapper.createObjectNode();
        json.put("version", 1);
        json.put("message", root.message());
        json.put("stack", root.stack());
        json.put("thread", "");
        json.put("timestamp", now.toString());
        json.put("round", root.round());
        json.put("rank", root.rank());
        json.put("node", root.nodeId());
        json.put("host", root.hostLabel());
        json.put("pid", root.pid());
        json.put("exit_code", root.exitCode());
        return mapper.writeValueAsBytes(json);
    }
}
