/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Classes of all modules that use each other in a circle. Nested ones count as the class around them. The circles are the
 * strongly connected components of the graph of uses (R. Tarjan, Depth-First Search and Linear Graph Algorithms, 1972).
 */
@Tag("once")
final class ClassCyclesTest {
    private static final int LARGEST = 5;

    private static final ImportOption NO_TEST_JARS = location -> !location.contains("-tests.jar");

    private final Map<JavaClass, Integer> order = new HashMap<>();
    private final Map<JavaClass, Integer> lowest = new HashMap<>();
    private final List<JavaClass> open = new ArrayList<>();
    private final List<Set<String>> cycles = new ArrayList<>();
    private Map<JavaClass, Set<JavaClass>> uses = Map.of();

    @Test
    void circles_anyModule_areSmall() {
        JavaClasses all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(NO_TEST_JARS)
                .importPackages(
                        "dev.elasticrun.worker",
                        "dev.elasticrun.rendezvous",
                        "dev.elasticrun.agent",
                        "dev.elasticrun.cli");
        uses = all.stream()
                .collect(Collectors.groupingBy(
                        ClassCyclesTest::outermost,
                        Collectors.flatMapping(
                                type -> type.getDirectDependenciesFromSelf().stream()
                                        .map(use -> outermost(use.getTargetClass()))
                                        .filter(used -> all.contain(used.getName())),
                                Collectors.toSet())));

        uses.keySet().stream().filter(type -> !order.containsKey(type)).forEach(this::visit);

        assertThat(uses).hasSizeGreaterThan(500);
        assertThat(cycles).isNotEmpty().allSatisfy(cycle -> assertThat(cycle).hasSizeLessThanOrEqualTo(LARGEST));
    }

    private void visit(JavaClass type) {
        int number = order.size();
        order.put(type, number);
        lowest.put(type, number);
        open.add(type);
        for (JavaClass used : uses.getOrDefault(type, Set.of())) {
            if (!order.containsKey(used)) {
                visit(used);
            }
            if (open.contains(used)) {
                lowest.merge(type, lowest.get(used), Math::min);
            }
        }
        if (lowest.get(type) == number) {
            List<JavaClass> component = open.subList(open.indexOf(type), open.size());
            if (component.size() > 1) {
                cycles.add(component.stream()
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.toCollection(TreeSet::new)));
            }
            component.clear();
        }
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ClassCyclesTest::outermost).orElse(type);
    }
}
