/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
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
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "dev.elasticrun.agent", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("once")
final class ArchitectureTest {
    private static final String PURE = "[^$]*(Rules|State|Event|Events|Effect|Strategy|Transition|WorkerInfos)(\\$.*)?";

    @ArchTest
    static final ArchRule pureClasses_anything_touchNoOutside = noClasses()
            .that()
            .haveNameMatching(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "java.io..",
                            "java.nio..",
                            "java.net..",
                            "java.util.concurrent..",
                            "org.slf4j..",
                            "io.grpc..",
                            "dev.elasticrun.rendezvous.store..",
                            "dev.elasticrun.rendezvous.loop..",
                            "dev.elasticrun.agent.process..",
                            "dev.elasticrun.agent.channel..",
                            "dev.elasticrun.agent.directory..",
                            "dev.elasticrun.agent.logs..")
                    .or(type(Clock.class))
                    .or(type(Random.class))
                    .or(type(SecureRandom.class))
                    .or(type(Thread.class)))
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "getenv");

    /** Upper ones use lower ones. */
    private static final List<String> LAYERS = Stream.of(
                    "",
                    ".doctor",
                    ".web",
                    ".past",
                    ".trainer",
                    ".command",
                    ".store",
                    ".worker",
                    ".observe",
                    ".rules",
                    ".context",
                    ".launch",
                    ".backend",
                    ".config",
                    ".http",
                    ".metrics",
                    ".incident",
                    ".control",
                    ".liveness",
                    ".profile",
                    ".hang",
                    ".tls",
                    ".runtime",
                    ".telemetry",
                    ".logs",
                    ".events",
                    ".decisions",
                    ".process",
                    ".channel",
                    ".directory")
            .map(name -> "dev.elasticrun.agent" + name)
            .toList();

    @ArchTest
    static void packages_useThoseBelowThemOnly(JavaClasses all) {
        new Layers(LAYERS).check(all);
    }

    @ArchTest
    static final ArchRule workerApi_beyondItsContract_isNotSeen = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.elasticrun.worker..")
                    .and(DescribedPredicate.not(resideInAnyPackage("dev.elasticrun.worker.contract.."))));

    /** {@link FrameworkNamesTest} looks at what is no class. */
    @ArchTest
    static final ArchRule frameworks_andWhatIntegratesThem_areNotSeen = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "dev.elasticrun.runtime..",
                    "dev.elasticrun.telemetry..",
                    "dev.elasticrun.xgboost..",
                    "io.opentelemetry..",
                    "ml.dmlc.."));

    @ArchTest
    static final ArchRule classes_anywhere_areClosedForInheritance = classes()
            .that(namedByUs())
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .haveModifier(JavaModifier.ABSTRACT);

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
