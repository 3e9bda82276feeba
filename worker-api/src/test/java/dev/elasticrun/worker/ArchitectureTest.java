/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.elasticrun.worker", importOptions = ImportOption.DoNotIncludeTests.class)
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
    static final ArchRule CONTRACT_STANDS_ALONE = noClasses()
            .that()
            .resideInAPackage("dev.elasticrun.worker.contract")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.elasticrun.worker", "dev.elasticrun.worker.collective");

    @ArchTest
    static final ArchRule COLLECTIVE_DOES_NOT_KNOW_THE_RUNTIME = noClasses()
            .that()
            .resideInAPackage("dev.elasticrun.worker.collective")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.elasticrun.worker");

    @ArchTest
    static final ArchRule ONLY_THE_JDK = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax.crypto..",
                    "javax.net.ssl..",
                    "javax.security.auth.x500..",
                    "dev.elasticrun.worker..",
                    "org.jspecify.annotations");

    @ArchTest
    static final ArchRule PURE_CLASSES_TOUCH_NOTHING = noClasses()
            .that()
            .haveSimpleNameEndingWith("Schedule")
            .or()
            .haveSimpleNameEndingWith("Agreement")
            .or()
            .haveSimpleNameEndingWith("Tree")
            .should()
            .dependOnClassesThat(new DescribedPredicate<JavaClass>("do input, output or threads") {
                @Override
                public boolean test(JavaClass type) {
                    return type.getPackageName().startsWith("java.io")
                            || type.getPackageName().startsWith("java.nio")
                            || type.getPackageName().startsWith("java.util.concurrent")
                            || type.getName().equals("java.lang.System")
                            || type.getName().equals("java.lang.Thread");
                }
            });
}
