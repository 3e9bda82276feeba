/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * An image in the layout of OCI, as an engine reads it.
 *
 * @param root its layers, unpacked over each other
 * @param config what it states about a container
 */
record OciImage(Path root, JsonNode config) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** @param directory empty */
    static OciImage unpack(Path image, Path directory) throws IOException, InterruptedException {
        Path layout = Files.createDirectory(directory.resolve("layout"));
        Path root = Files.createDirectory(directory.resolve("root"));
        Product.run("tar", "-xf", image.toString(), "-C", layout.toString());
        JsonNode index = JSON.readTree(layout.resolve("index.json").toFile());
        JsonNode manifest = JSON.readTree(blob(layout, index.at("/manifests/0")).toFile());
        for (JsonNode layer : manifest.path("layers")) {
            Product.run("tar", "-xzpf", blob(layout, layer).toString(), "-C", root.toString());
        }
        JsonNode config = JSON.readTree(blob(layout, manifest.path("config")).toFile());
        return new OciImage(root, config.path("config"));
    }

    private static Path blob(Path layout, JsonNode descriptor) {
        return layout.resolve("blobs")
                .resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    String user() {
        return config.path("User").asText();
    }

    List<String> environment() {
        return texts(config.path("Env"));
    }

    /** The entry point with arguments. */
    List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>(texts(config.path("Entrypoint")));
        command.addAll(arguments);
        return command;
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
