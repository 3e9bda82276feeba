/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** Packages of a module from top to bottom: each uses those below it only. Other modules' tests use it, too. */
public record Layers(List<String> packages) {

    /** Fails on a class that uses one of a package above it, and on one in no layer. */
    public void check(JavaClasses all) {
        for (int layer = 1; layer < packages.size(); layer++) {
            noClasses()
                    .that()
                    .resideInAPackage(packages.get(layer))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(packages.subList(0, layer).toArray(String[]::new))
                    .check(all);
        }
        classes().should().resideInAnyPackage(packages.toArray(String[]::new)).check(all);
    }
}
