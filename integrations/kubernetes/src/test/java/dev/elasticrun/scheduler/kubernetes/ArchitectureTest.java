/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.elasticrun.scheduler.kubernetes", importOptions = ImportOption.DoNotIncludeTests.class)
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
    static final ArchRule agentAndStore_areNotSeen = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "com.fasterxml.jackson..",
                    "io.fabric8.kubernetes..",
                    "org.jspecify.annotations",
                    "dev.elasticrun.scheduler..");

    @ArchTest
    static final ArchRule theProvider_alone_isPublic = classes()
            .that()
            .areTopLevelClasses()
            .and()
            .doNotHaveSimpleName("KubernetesSchedulerProvider")
            .should()
            .notBePublic();

    @ArchTest
    static final ArchRule manifests_callNoServer = noClasses()
            .that()
            .haveNameMatching(".*\\.(.*Manifests?|Agent.*|.*Spec.*|Metadata|Restricted|PodReport|ClusterJob)")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("io\\.fabric8\\.kubernetes\\.client\\.(KubernetesClient|dsl\\.[A-Z].*)");
}
