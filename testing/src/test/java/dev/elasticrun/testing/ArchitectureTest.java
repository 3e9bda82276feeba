/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.elasticrun.testing", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("once")
final class ArchitectureTest {
    @ArchTest
    static final ArchRule CLASSES_ARE_CLOSED = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule VIEW_AND_DEATHS_ARE_PURE = noClasses()
            .that()
            .haveSimpleName("RunView")
            .or()
            .haveSimpleName("Death")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio..", "java.util.concurrent..")
            .orShould()
            .callMethod(System.class, "nanoTime");

    /** A worker has this in its class path and is not to load the launcher. */
    @ArchTest
    static final ArchRule DEATHS_NEED_THE_WORKER_API_ONLY = noClasses()
            .that()
            .haveSimpleName("ScriptedDeaths")
            .or()
            .haveSimpleName("Death")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.elasticrun.agent..", "dev.elasticrun.cli..", "org.junit..");
}
