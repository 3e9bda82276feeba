/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** JSON to {@link ConfigNode}s. */
final class JsonConfig {
    private JsonConfig() {}

    static ConfigNode parse(String text) throws ConfigNode.SyntaxException {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            ConfigNode root = parser.nextToken() == null ? new ConfigNode.Nothing(1) : node(parser);
            if (parser.nextToken() != null) {
                throw new ConfigNode.SyntaxException(line(parser), "more after the end of the object");
            }
            return root;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new ConfigNode.SyntaxException(line, e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new ConfigNode.SyntaxException(0, String.valueOf(e.getMessage()), e);
        }
    }

    private static ConfigNode node(JsonParser parser) throws IOException {
        int line = line(parser);
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<ConfigNode> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(node(parser));
            }
            return new ConfigNode.Items(line, items);
        }
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            List<ConfigNode.Key> keys = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                int at = line(parser);
                parser.nextToken();
                keys.add(new ConfigNode.Key(name, at, node(parser)));
            }
            return new ConfigNode.Keys(line, keys);
        }
        return parser.currentToken() == JsonToken.VALUE_NULL
                ? new ConfigNode.Nothing(line)
                : new ConfigNode.Text(line, parser.getText());
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }
}
