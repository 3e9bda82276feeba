/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.elasticrun.rendezvous.Layers;
import java.util.List;
import java.util.concurrent.TimeUnit;

@AnalyzeClasses(packages = "dev.elasticrun.cli", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("once")
final class ArchitectureTest {
    /** Upper ones use lower ones. */
    private static final Layers LAYERS = new Layers(List.of(
            "dev.elasticrun.cli",
            "dev.elasticrun.cli.manual",
            "dev.elasticrun.cli.command",
            "dev.elasticrun.cli.history",
            "dev.elasticrun.cli.runs",
            "dev.elasticrun.cli.tune",
            "dev.elasticrun.cli.chaos",
            "dev.elasticrun.cli.chaos.report",
            "dev.elasticrun.cli.chaos.fault",
            "dev.elasticrun.cli.agents",
            "dev.elasticrun.cli.client",
            "dev.elasticrun.cli.scheduler",
            "dev.elasticrun.cli.ssh",
            "dev.elasticrun.cli.options",
            "dev.elasticrun.cli.torchrun",
            "dev.elasticrun.cli.engine",
            "dev.elasticrun.cli.view",
            "dev.elasticrun.cli.log",
            "dev.elasticrun.cli.network",
            "dev.elasticrun.cli.signal",
            "dev.elasticrun.cli.text"));

    @ArchTest
    static void packages_useThoseBelowThemOnly(JavaClasses all) {
        LAYERS.check(all);
    }

    @ArchTest
    static final ArchRule CLASSES_ARE_CLOSED = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .areNotEnums()
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule TEXTS_ARE_PURE = noClasses()
            .that()
            .resideInAnyPackage("dev.elasticrun.cli.view", "dev.elasticrun.cli.text")
            .should()
            .dependOnClassesThat(new DescribedPredicate<JavaClass>("do input, output or threads") {
                @Override
                public boolean test(JavaClass type) {
                    String name = type.getPackageName();
                    boolean isUnit = type.isEquivalentTo(TimeUnit.class);
                    return name.startsWith("java.io")
                            || name.startsWith("java.nio")
                            || (name.startsWith("java.util.concurrent") && !isUnit)
                            || name.startsWith("org.slf4j")
                            || type.isEquivalentTo(Thread.class);
                }
            });

    @ArchTest
    static final ArchRule ONLY_OPTIONS_COMMANDS_AND_THEIR_PAGES_KNOW_PICOCLI = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.elasticrun.cli.options", "dev.elasticrun.cli.command", "dev.elasticrun.cli.manual")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    /** So that a launch without a file of that kind does not load them. */
    @ArchTest
    static final ArchRule ONLY_THE_READER_OF_YAML_KNOWS_ITS_LIBRARY = noClasses()
            .that()
            .haveSimpleNameNotStartingWith("YamlConfig")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.yaml..");
}
