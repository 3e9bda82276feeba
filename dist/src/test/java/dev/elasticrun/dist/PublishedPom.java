/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The POM of an artifact, as others read it. */
record PublishedPom(String text, Element project) {

    record Dependency(String group, String artifact, String version, String type, String scope) {}

    static PublishedPom of(String artifact) throws Exception {
        Path file = Repository.file(artifact, ".pom");
        return new PublishedPom(
                Files.readString(file),
                DocumentBuilderFactory.newDefaultInstance()
                        .newDocumentBuilder()
                        .parse(file.toFile())
                        .getDocumentElement());
    }

    /** The text of an element at that path; empty if there is none. */
    String at(String... path) {
        Element element = project;
        for (String name : path) {
            List<Element> found = children(element, name).toList();
            if (found.isEmpty()) {
                return "";
            }
            element = found.get(0);
        }
        return element.getTextContent().strip();
    }

    List<Dependency> dependencies() {
        return dependencies(project);
    }

    List<Dependency> managed() {
        return children(project, "dependencyManagement")
                .flatMap(management -> dependencies(management).stream())
                .toList();
    }

    private List<Dependency> dependencies(Element parent) {
        return children(parent, "dependencies")
                .flatMap(list -> children(list, "dependency"))
                .map(one -> new Dependency(
                        text(one, "groupId"),
                        text(one, "artifactId"),
                        text(one, "version").replace("${project.version}", at("version")),
                        text(one, "type"),
                        text(one, "scope")))
                .toList();
    }

    private static String text(Element parent, String name) {
        return children(parent, name).map(Node::getTextContent).findFirst().orElse("");
    }

    private static Stream<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .filter(element -> element.getTagName().equals(name));
    }
}
