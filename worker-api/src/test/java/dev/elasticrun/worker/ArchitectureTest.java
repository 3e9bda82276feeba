/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.internal.net.Digest;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

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
            // With what ranks reported to each other, where it is thrown within.
            .and()
            .doNotHaveFullyQualifiedName(CollectiveMismatchException.class.getName())
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .haveModifier(JavaModifier.ABSTRACT);

    /** Upper ones use lower ones. */
    private static final List<String> LAYERS = List.of(
            "dev.elasticrun.worker",
            "dev.elasticrun.worker.internal.engine",
            "dev.elasticrun.worker.internal.checkpoint.transfer",
            "dev.elasticrun.worker.internal.checkpoint",
            "dev.elasticrun.worker.internal.checkpoint.agreement",
            "dev.elasticrun.worker.internal.replay",
            "dev.elasticrun.worker.internal.bootstrap",
            "dev.elasticrun.worker.internal.exchange",
            "dev.elasticrun.worker.internal.net",
            "dev.elasticrun.worker.internal.reuse",
            "dev.elasticrun.worker.internal.faults",
            "dev.elasticrun.worker.collective",
            "dev.elasticrun.worker.contract");

    @ArchTest
    static void packages_useThoseBelowThemOnly(JavaClasses all) {
        for (int layer = 1; layer < LAYERS.size(); layer++) {
            noClasses()
                    .that()
                    .resideInAPackage(LAYERS.get(layer))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(LAYERS.subList(0, layer).toArray(String[]::new))
                    .check(all);
        }
        classes().should().resideInAnyPackage(LAYERS.toArray(String[]::new)).check(all);
    }

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

    /** Ranks come to the same conclusion only from the same statements, which they read and write. */
    @ArchTest
    static final ArchRule AGREEMENT_IS_PURE = classes()
            .that()
            .resideInAPackage("dev.elasticrun.worker.internal.checkpoint.agreement")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java.lang..",
                            "java.util",
                            "java.util.function",
                            "java.util.stream",
                            "org.jspecify.annotations",
                            "dev.elasticrun.worker.contract",
                            "dev.elasticrun.worker.internal.checkpoint.agreement")
                    .or(belongToAnyOf(Digest.class, DataInputStream.class, DataOutputStream.class, IOException.class)));

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
