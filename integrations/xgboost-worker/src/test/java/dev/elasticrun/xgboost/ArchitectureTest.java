/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.elasticrun.xgboost", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("once")
final class ArchitectureTest {

    @ArchTest
    static final ArchRule CLASSES_ARE_CLOSED = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .areNotEnums()
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .haveModifier(JavaModifier.ABSTRACT);

    @ArchTest
    static final ArchRule ONLY_WHAT_RUNS_WITHOUT_SCALA_AND_HADOOP = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "ml.dmlc.xgboost4j.java",
                    "dev.elasticrun.xgboost",
                    "dev.elasticrun.worker..",
                    "org.jspecify.annotations");

    /** XGBoost keeps its group in a variable of the native thread: nothing may run on another one. */
    @ArchTest
    static final ArchRule NO_THREADS = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent..")
            .orShould()
            .callConstructor(Thread.class, Runnable.class);
}
