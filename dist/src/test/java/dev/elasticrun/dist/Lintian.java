/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The distribution's checks of packages, installed or fetched. */
final class Lintian {
    private static final String PROGRAM = "lintian";
    /** Where it looks for modules of Perl, below the root of what was fetched. */
    private static final List<String> MODULES = List.of("usr/share/perl5", "usr/lib/*/perl5/5.*");

    private Lintian() {}

    /** The command that checks a package and fails on errors and warnings. */
    static List<String> command(Path debianPackage) throws Exception {
        Path programs = FetchedPrograms.directory(PROGRAM, List.of(PROGRAM), List.of(PROGRAM));
        Path root = programs.resolveSibling("root");
        List<String> command = new ArrayList<>();
        if (Files.isDirectory(root)) {
            String libraries = directories(root, List.of("usr/lib/*-linux-gnu*"));
            command.addAll(List.of(
                    "env",
                    "PERL5LIB=" + directories(root, MODULES),
                    "LD_LIBRARY_PATH=" + libraries,
                    "PATH=" + programs + ":" + root.resolve("usr/bin") + ":" + System.getenv("PATH"),
                    "perl",
                    root.resolve("usr/share/lintian/bin/lintian").toString()));
        } else {
            command.add(programs.resolve(PROGRAM).toString());
        }
        command.addAll(List.of("--allow-root", "--fail-on", "error,warning", debianPackage.toString()));
        return command;
    }

    private static String directories(Path root, List<String> patterns) throws Exception {
        try (Stream<Path> found = Files.walk(root, 5)) {
            return found.filter(Files::isDirectory)
                    .filter(path -> patterns.stream().anyMatch(pattern -> root.getFileSystem()
                            .getPathMatcher("glob:" + pattern)
                            .matches(root.relativize(path))))
                    .map(Path::toString)
                    .collect(Collectors.joining(":"));
        }
    }
}
