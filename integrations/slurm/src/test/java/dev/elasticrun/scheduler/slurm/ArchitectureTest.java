/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;

@AnalyzeClasses(packages = "dev.elasticrun.scheduler.slurm", importOptions = ImportOption.DoNotIncludeTests.class)
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
    static final ArchRule theModule_hasNoDependencyButTheSpi = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify.annotations", "dev.elasticrun.scheduler..");

    @ArchTest
    static final ArchRule theProvider_alone_isPublic = classes()
            .that()
            .areTopLevelClasses()
            .and()
            .doNotHaveSimpleName("SlurmProvider")
            .should()
            .notBePublic();

    /** The file, and what is read from commands, need no Slurm to be tested. */
    @ArchTest
    static final ArchRule whatIsDecided_touchesNothing = noClasses()
            .that()
            .doNotHaveSimpleName("SlurmProvider")
            .and()
            .doNotHaveSimpleName("SlurmScheduler")
            .and()
            .haveSimpleNameNotStartingWith("SlurmCommands")
            .and()
            .doNotHaveSimpleName("Result")
            .and()
            .doNotHaveSimpleName("OutputFile")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.channels..", "java.util.concurrent..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Files.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Process.class);
}
