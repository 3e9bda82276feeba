/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
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
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Random;

@AnalyzeClasses(packages = "dev.elasticrun.rendezvous", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("once")
final class ArchitectureTest {
    private static final String PURE =
            "[^$]*(Rules|State|Event|Events|Effect|Strategy|FailureHistory|HardRestart|SoftNoReplace|LeaseTimes)(\\$.*)?";
    private static final String PLAN = "dev.elasticrun.rendezvous.plan";
    private static final String STORE_SIDE = "dev.elasticrun.rendezvous.store..";

    @ArchTest
    static final ArchRule pureClasses_anything_touchNoOutside = noClasses()
            .that(resideInAPackage(PLAN)
                    .or(DescribedPredicate.<JavaClass>not(resideInAPackage(STORE_SIDE))
                            .and(nameMatching(PURE))))
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "java.io..",
                            "java.nio..",
                            "java.net..",
                            "java.util.concurrent..",
                            "org.slf4j..",
                            "io.grpc..",
                            "dev.elasticrun.rendezvous.store..",
                            "dev.elasticrun.rendezvous.loop..")
                    .or(type(Clock.class))
                    .or(type(Random.class))
                    .or(type(SecureRandom.class))
                    .or(type(Thread.class)))
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "getenv");

    @ArchTest
    static final ArchRule classes_anywhere_areClosedForInheritance = classes()
            .that(namedByUs())
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .haveModifier(JavaModifier.ABSTRACT);

    @ArchTest
    static final ArchRule planning_anything_knowsNoSchema = noClasses()
            .that(resideInAPackage(PLAN).or(nameMatching(PURE)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.elasticrun.proto..");

    /** Upper ones use lower ones. */
    private static final List<String> LAYERS = List.of(
            "dev.elasticrun.rendezvous",
            "dev.elasticrun.rendezvous.coordinator",
            "dev.elasticrun.rendezvous.membership",
            PLAN,
            "dev.elasticrun.rendezvous.view",
            "dev.elasticrun.rendezvous.codec",
            "dev.elasticrun.rendezvous.record",
            "dev.elasticrun.rendezvous.terms",
            "dev.elasticrun.rendezvous.restart",
            "dev.elasticrun.rendezvous.fields",
            "dev.elasticrun.rendezvous.store.embedded",
            "dev.elasticrun.rendezvous.store.etcd",
            "dev.elasticrun.rendezvous.store",
            "dev.elasticrun.rendezvous.loop");

    @ArchTest
    static void packages_useThoseBelowThemOnly(JavaClasses all) {
        new Layers(LAYERS).check(all);
    }

    /** Enums with bodies are not final, and what the compiler makes is its own affair. */
    private static DescribedPredicate<JavaClass> namedByUs() {
        return DescribedPredicate.describe(
                "are neither interfaces, enums, anonymous nor extensible exceptions",
                found -> !found.isInterface()
                        && !found.isEnum()
                        && !found.isAnonymousClass()
                        && !found.getSimpleName().isEmpty()
                        && !found.isAssignableTo(Throwable.class));
    }
}
