/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.ClassData;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClassDataOptionsTest {
    private static final Optional<Path> PLACE = Optional.of(Path.of("/private/class-data"));

    private static LaunchConfigBuilder jar() {
        return LaunchConfig.builder("/lib/app.jar");
    }

    private static Optional<String> obstacle(LaunchConfigBuilder builder) {
        return ClassDataOptions.obstacle(builder.unchecked(), Map.of("PATH", "/bin"), PLACE);
    }

    @Test
    void jarsOnly_areArchived() {
        assertThat(obstacle(jar())).isEmpty();
        assertThat(obstacle(jar().classPath("/lib/a.jar:/lib/b.jar").mainClass("A")))
                .isEmpty();
    }

    @Test
    void noJar_orWhatIsNotOnlyJars_isNot() {
        assertThat(obstacle(LaunchConfig.builder("train.py"))).isPresent();
        assertThat(obstacle(jar().classPath("/lib/a.jar:/classes")))
                .hasValueSatisfying(why -> assertThat(why).contains("/classes"));
        assertThat(obstacle(jar().classPath("/lib/*"))).isPresent();
    }

    @Test
    void off_isNot() {
        assertThat(obstacle(jar().classData(ClassData.OFF))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-Xmx4g", "-Dname=two words", "-XX:+UseSerialGC", "-ea", "--add-opens=java.base/java.lang=ALL"})
    void harmlessOptions_areKept(String option) {
        assertThat(obstacle(jar().javaOpts(List.of(option)))).isEmpty();
        assertThat(ClassDataOptions.archiving(jar().javaOpts(List.of(option)).unchecked(), Path.of("l"), Path.of("a")))
                .contains(option);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-javaagent:a.jar",
                "-agentlib:jdwp=transport=dt_socket",
                "-agentpath:/x.so",
                "-Xshare:off",
                "-XX:SharedArchiveFile=my.jsa",
                "-XX:ArchiveClassesAtExit=my.jsa",
                "-Xlog:gc:file=gc.log",
                "-XX:OnError=x",
                "-XX:StartFlightRecording",
                "-Djava.system.class.loader=X",
                "-Xbootclasspath/a:x.jar",
                "--patch-module=java.base=x",
                "@options"
            })
    void otherOptions_leaveTheProgramAlone(String option) {
        assertThat(obstacle(jar().javaOpts(List.of("-Xmx1g", option))))
                .hasValueSatisfying(why -> assertThat(why).contains(option));
    }

    @Test
    void variablesWithOptions_leaveTheProgramAlone() {
        assertThat(ClassDataOptions.obstacle(jar().unchecked(), Map.of("JAVA_TOOL_OPTIONS", "-Da=b"), PLACE))
                .isPresent();
        assertThat(obstacle(jar().environment(Map.of("JDK_JAVA_OPTIONS", "-Da=b"))))
                .isPresent();
    }

    @Test
    void noPlaceOnADisk_isNot() {
        assertThat(ClassDataOptions.obstacle(jar().unchecked(), Map.of(), Optional.empty()))
                .isPresent();
        assertThat(ClassDataOptions.obstacle(jar().unchecked(), Map.of(), Optional.of(Path.of("/a:b"))))
                .isPresent();
    }
}
