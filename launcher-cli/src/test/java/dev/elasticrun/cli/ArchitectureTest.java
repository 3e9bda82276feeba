/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

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

@AnalyzeClasses(packages = "dev.elasticrun.cli", importOptions = ImportOption.DoNotIncludeTests.class)
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
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule TEXTS_ARE_PURE = noClasses()
            .that()
            .haveSimpleNameEndingWith("View")
            .or()
            .haveSimpleNameEndingWith("Report")
            .or()
            .haveSimpleNameEndingWith("Json")
            .or()
            .haveSimpleNameEndingWith("Row")
            .or()
            .haveSimpleNameEndingWith("Spelling")
            .should()
            .dependOnClassesThat(new DescribedPredicate<JavaClass>("do input, output or threads") {
                @Override
                public boolean test(JavaClass type) {
                    return type.getPackageName().startsWith("java.io")
                            || type.getPackageName().startsWith("java.nio")
                            || type.getPackageName().startsWith("java.util.concurrent")
                            || type.getPackageName().startsWith("org.slf4j")
                            || type.getName().equals("java.lang.Thread");
                }
            });

    @ArchTest
    static final ArchRule ONLY_THE_MODEL_AND_ITS_READERS_KNOW_PICOCLI = noClasses()
            .that()
            .haveSimpleNameNotStartingWith("CommandModel")
            .and()
            .haveSimpleNameNotStartingWith("LaunchOptions")
            .and()
            .haveNameNotMatching(".*\\.Subcommand(\\$.*)?")
            .and()
            .haveSimpleNameNotEndingWith("Command")
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
