/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.SettingTexts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Locale;

/** Reads a file in YAML or JSON as it is written. */
public final class ConfigText {
    private static final int MAX_BYTES = 1 << 20;
    private static final String EXPECTED = "a YAML or JSON file of at most 1 MiB that can be read";

    private ConfigText() {}

    /**
     * Reads the file.
     *
     * @param source names the file: a flag or a variable
     * @param depth levels that count, the file itself included; what is nested more deeply is {@link ConfigNode.Nothing}
     * @throws UsageException if it cannot be read, or is neither YAML nor JSON
     */
    public static ConfigNode read(String source, String file, int depth) {
        String text = text(source, file);
        try {
            return isJson(file, text) ? JsonConfig.parse(text) : YamlConfig.parse(text, depth);
        } catch (ConfigNode.SyntaxException e) {
            String where = e.line() == 0 ? file : file + ":" + e.line();
            throw UsageException.of(
                    where, String.valueOf(e.getMessage()).strip(), isJson(file, text) ? "JSON" : "YAML");
        }
    }

    private static String text(String source, String file) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(SettingTexts.path(file))) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException | IllegalArgumentException e) {
            throw UsageException.of(source, file, EXPECTED + "; " + e);
        }
        if (bytes.length > MAX_BYTES) {
            throw UsageException.of(source, file, EXPECTED + "; it is larger");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw UsageException.of(source, file, EXPECTED + "; it is not UTF-8");
        }
    }

    /** By the file's name, else by how it begins. */
    private static boolean isJson(String file, String text) {
        String lower = file.toLowerCase(Locale.ROOT);
        if (lower.endsWith(".yaml") || lower.endsWith(".yml")) {
            return false;
        }
        return lower.endsWith(".json") || text.stripLeading().startsWith("{");
    }
}
