/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.elasticrun.rendezvous.Layers;
import java.util.List;

@AnalyzeClasses(packages = "dev.elasticrun.tune", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("once")
final class ArchitectureTest {
    private static final Layers LAYERS = new Layers(List.of(
            "dev.elasticrun.tune",
            "dev.elasticrun.tune.driver",
            "dev.elasticrun.tune.pool",
            "dev.elasticrun.tune.store",
            "dev.elasticrun.tune.study",
            "dev.elasticrun.tune.trial",
            "dev.elasticrun.tune.search",
            "dev.elasticrun.tune.rule",
            "dev.elasticrun.tune.curve",
            "dev.elasticrun.tune.space"));

    @ArchTest
    static void packages_useThoseBelowThemOnly(JavaClasses all) {
        LAYERS.check(all);
    }

    @ArchTest
    static final ArchRule DECISIONS_ARE_PURE = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.elasticrun.tune.study",
                    "dev.elasticrun.tune.trial",
                    "dev.elasticrun.tune.search",
                    "dev.elasticrun.tune.rule",
                    "dev.elasticrun.tune.curve",
                    "dev.elasticrun.tune.space")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio..", "java.util.concurrent..", "dev.elasticrun.rendezvous..");
}
