/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.UpMessage;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that is a module itself: it sees what is exported, and runs with nothing else on the module path. */
@Timeout(60)
final class ModulePathTest {
    private static final String MODULE = "module program { requires dev.elasticrun.worker; }";

    @TempDir
    private Path directory;

    @Test
    void exports_areThePackagesOfTheApi_toEveryone() throws Exception {
        ModuleDescriptor module = ModuleFinder.of(worker())
                .find("dev.elasticrun.worker")
                .orElseThrow()
                .descriptor();
        assertThat(module.exports())
                .allSatisfy(export -> assertThat(export.isQualified()).isFalse());
        assertThat(module.exports().stream().map(ModuleDescriptor.Exports::source))
                .containsExactlyInAnyOrder(
                        "dev.elasticrun.worker", "dev.elasticrun.worker.collective", "dev.elasticrun.worker.contract");
        assertThat(module.opens()).isEmpty();
        assertThat(module.requires().stream()
                        .filter(required -> !required.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                        .map(ModuleDescriptor.Requires::name))
                .containsExactly("java.base");
    }

    @Test
    void program_thatIsAModule_compilesAndWorksInARound() throws Exception {
        String program = """
                package program;
                import dev.elasticrun.worker.Collective;
                import dev.elasticrun.worker.ElasticRuntime;
                import dev.elasticrun.worker.collective.ReduceOp;
                public final class Main {
                    public static void main(String[] args) {
                        Collective collective = ElasticRuntime.join();
                        long[] values = {41};
                        collective.allReduce(values, ReduceOp.SUM);
                        collective.checkpoint(new byte[] {1, 2, 3});
                        collective.close();
                        System.out.println(Collective.class.getModule().getName() + " " + values[0]);
                    }
                }
                """;
        assertThat(compile(program)).isEmpty();
        try (TestAgent agent = new TestAgent(directory, 0)) {
            agent.pause(0);
            agent.work(1, 0, 1);
            agent.peers(1, 4711);
            Process process = start(agent);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(directory.resolve("out"))).isEqualTo("dev.elasticrun.worker 41\n");
            assertThat(process.exitValue()).isZero();
            assertThat(agent.up(UpMessage.Resumed.class)).hasSize(1);
        }
    }

    @Test
    void program_thatUsesAnInternalPackage_doesNotCompile() throws Exception {
        String program = """
                package program;
                public final class Main {
                    dev.elasticrun.worker.internal.engine.Engine engine;
                }
                """;
        assertThat(compile(program)).contains("dev.elasticrun.worker.internal.engine", "is not visible");
    }

    /** What the compiler has against it. */
    private String compile(String program) throws Exception {
        Path sources = Files.createDirectories(directory.resolve("sources/program"));
        Path module = Files.writeString(directory.resolve("sources/module-info.java"), MODULE);
        Path main = Files.writeString(sources.resolve("Main.java"), program);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--module-path", worker().toString(), "-d", classes().toString(), "-proc:none");
            compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(module, main))
                    .call();
        }
        return errors.toString();
    }

    private Process start(TestAgent agent) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--module-path",
                List.of(worker(), classes()).stream().map(Path::toString).collect(Collectors.joining(":")),
                "--module",
                "program/program.Main");
        builder.environment().putAll(agent.environment());
        builder.redirectErrorStream(true);
        builder.redirectOutput(directory.resolve("out").toFile());
        return builder.start();
    }

    private Path classes() {
        return directory.resolve("classes");
    }

    private static Path worker() throws Exception {
        return Path.of(ElasticRuntime.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }
}
