/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import java.io.StringReader;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * YAML to {@link ConfigNode}s. Only the tree of nodes is made, never objects, so that a value is the text that is
 * written: {@code 2:4} is no number to the base of 60, and an alias is what its anchor holds.
 */
final class YamlConfig {
    private YamlConfig() {}

    /** @param depth levels that count; it is also what ends a node that holds itself */
    static ConfigNode parse(String text, int depth) throws ConfigNode.SyntaxException {
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            return root == null ? new ConfigNode.Nothing(1) : node(root, depth);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            throw new ConfigNode.SyntaxException(line, String.valueOf(e.getProblem()), e);
        } catch (YAMLException e) {
            throw new ConfigNode.SyntaxException(
                    0, String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        }
    }

    private static ConfigNode node(Node node, int depth) {
        int line = line(node);
        if (node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            return new ConfigNode.Text(line, scalar.getValue());
        }
        if (node instanceof SequenceNode list && depth > 0) {
            List<ConfigNode> items =
                    list.getValue().stream().map(item -> node(item, depth - 1)).toList();
            return new ConfigNode.Items(line, items);
        }
        if (node instanceof MappingNode mapping && depth > 0) {
            List<ConfigNode.Key> keys = mapping.getValue().stream()
                    .map(key -> new ConfigNode.Key(
                            name(key.getKeyNode()), line(key.getKeyNode()), node(key.getValueNode(), depth - 1)))
                    .toList();
            return new ConfigNode.Keys(line, keys);
        }
        return new ConfigNode.Nothing(line);
    }

    private static String name(Node key) {
        return key instanceof ScalarNode scalar ? scalar.getValue() : "(no name)";
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }
}
