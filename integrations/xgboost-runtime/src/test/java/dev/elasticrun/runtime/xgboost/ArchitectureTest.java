/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.elasticrun.runtime.xgboost", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("once")
final class ArchitectureTest {

    @ArchTest
    static final ArchRule classes_anywhere_areClosedForInheritance = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .areNotEnums()
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule theAgent_beyondItsSpi_isNotSeen = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax.crypto..",
                    "com.fasterxml.jackson..",
                    "org.slf4j",
                    "org.jspecify.annotations",
                    "dev.elasticrun.agent.runtime",
                    "dev.elasticrun.runtime.xgboost");

    @ArchTest
    static final ArchRule theProvider_alone_isPublic = classes()
            .that()
            .areTopLevelClasses()
            .and()
            .doNotHaveSimpleName("XgboostRuntimeProvider")
            .should()
            .notBePublic();
}
