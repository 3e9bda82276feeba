/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a repository of artifacts expects of them, and what those who use them find. */
final class RepositoryIT {
    @Test
    void artifacts_areThoseOfTheBom() throws Exception {
        List<PublishedPom.Dependency> managed = PublishedPom.of(Repository.BOM).managed();

        assertThat(managed)
                .allMatch(one ->
                        one.group().equals("dev.elasticrun") && one.version().equals(Product.VERSION))
                .extracting(PublishedPom.Dependency::artifact)
                .containsExactlyElementsOf(Repository.libraries())
                .containsAll(Repository.APIS);
    }

    @ParameterizedTest
    @MethodSource("dev.elasticrun.dist.Repository#artifacts")
    void files_areWhatACentralRepositoryAsksFor(String artifact) {
        Stream<String> endings = artifact.equals(Repository.BOM)
                ? Stream.of(".pom", "-cyclonedx.json")
                : Stream.of(".jar", ".pom", "-cyclonedx.json", "-javadoc.jar", "-sources.jar");

        assertThat(Product.files(Repository.directory(artifact)).stream().filter(file -> !file.endsWith(".asc")))
                .containsExactlyInAnyOrderElementsOf(endings.map(ending -> artifact + "-" + Product.VERSION + ending)
                        .flatMap(file -> Stream.of(file, file + ".md5", file + ".sha1"))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("dev.elasticrun.dist.Repository#artifacts")
    void poms_standAlone(String artifact) throws Exception {
        PublishedPom pom = PublishedPom.of(artifact);

        assertThat(pom.text()).doesNotContain("<parent>", "SNAPSHOT", "<repositories>", "<build>");
        assertThat(Stream.of(
                        pom.at("name"),
                        pom.at("description"),
                        pom.at("url"),
                        pom.at("licenses", "license", "url"),
                        pom.at("developers", "developer", "name"),
                        pom.at("scm", "connection"),
                        pom.at("scm", "url")))
                .doesNotContain("");
        assertThat(pom.dependencies())
                .allMatch(one -> one.version().matches("\\d.*"))
                .noneMatch(one -> one.type().equals("test-jar"))
                .noneMatch(one -> one.scope().equals("test"));
    }

    @Test
    void workerApi_needsNothing() throws Exception {
        assertThat(PublishedPom.of("elastic-run-worker-api").dependencies())
                .allMatch(one -> one.scope().equals("provided"));
    }

    @ParameterizedTest
    @MethodSource("dev.elasticrun.dist.Repository#libraries")
    void jars_nameTheirModuleAndBuild(String artifact) throws Exception {
        Path jar = Repository.file(artifact, ".jar");
        ModuleDescriptor module =
                ModuleFinder.of(jar).findAll().iterator().next().descriptor();

        assertThat(module.name()).startsWith("dev.elasticrun.");
        assertThat(module.packages()).allMatch(name -> name.startsWith(module.name()));
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes manifest = file.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Implementation-Version")).isEqualTo(Product.VERSION);
            assertThat(manifest.getValue("Build-Commit")).matches("[0-9a-f]{40}(-modified)?|unknown");
            assertThat(manifest.getValue("Build-Jdk-Spec")).matches("\\d+");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.elasticrun.dist.Repository#libraries")
    void javadoc_hasPagesOfTheApi(String artifact) {
        Path javadoc = Repository.file(artifact, "-javadoc.jar");

        assertThat(Repository.text(javadoc, "index.html")).contains("<!DOCTYPE HTML>");
        if (Repository.APIS.contains(artifact)) {
            assertThat(Repository.text(javadoc, "index.html")).contains("Begin with:");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.elasticrun.dist.Repository#libraries")
    void sbom_hasWhatTheArtifactNeeds(String artifact) throws Exception {
        JsonNode sbom = new ObjectMapper()
                .readTree(Repository.file(artifact, "-cyclonedx.json").toFile());
        List<String> components = sbom.findValuesAsText("bom-ref");

        assertThat(sbom.at("/metadata/component/name").asText()).isEqualTo(artifact);
        assertThat(PublishedPom.of(artifact).dependencies())
                .filteredOn(one -> !one.scope().equals("provided"))
                .allSatisfy(one -> assertThat(components)
                        .anyMatch(ref -> ref.startsWith(
                                "pkg:maven/" + one.group() + "/" + one.artifact() + "@" + one.version())));
        assertThat(components).noneMatch(ref -> ref.contains("junit-jupiter-engine"));
    }

    @Test
    void sbomOfTheInstallation_hasWhatIsInItsJars() throws Exception {
        JsonNode sbom = new ObjectMapper().readTree(Product.sbom().toFile());

        assertThat(sbom.findValuesAsText("bom-ref"))
                .anyMatch(ref -> ref.startsWith("pkg:maven/io.netty/netty-common@"))
                .anyMatch(ref -> ref.startsWith("pkg:maven/io.fabric8/kubernetes-client@"))
                .anyMatch(ref -> ref.startsWith("pkg:maven/ml.dmlc/xgboost4j_2.12@"))
                .noneMatch(ref -> ref.contains("elastic-run-testing"));
    }
}
