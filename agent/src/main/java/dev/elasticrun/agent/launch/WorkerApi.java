/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/**
 * Where a program on the JVM has the worker API from.
 *
 * @param place has the API, or a class that refers to it; empty = the program does not use it, as far as is known
 * @param added jar with the API of this version, the last one in the class path of workers; empty = the program has its own,
 *     or needs none
 * @param isMissing whether the program refers to the API, and nobody has it
 */
public record WorkerApi(Optional<Path> place, Optional<Path> added, boolean isMissing) {
    /** Of what is no jar. */
    static final WorkerApi NONE = new WorkerApi(Optional.empty(), Optional.empty(), false);

    /** Next to the command's jar, which contains the API together with all else. */
    private static final String BESIDE = "elastic-run-worker-api.jar";

    /** Reads jars. */
    static WorkerApi of(String program, SettingValues values) {
        if (!program.endsWith(WorkerProgram.JAR) || values.get(Settings.MODULE)) {
            return NONE;
        }
        WorkerApiSearch.Result found = WorkerApiSearch.of(Path.of(program), values.find(Settings.CLASS_PATH));
        boolean isNeeded = found.containing().isEmpty() && (found.referring().isPresent() || !found.isWhole());
        Optional<Path> own = isNeeded ? own() : Optional.empty();
        return new WorkerApi(
                found.containing().or(found::referring), own, found.referring().isPresent() && own.isEmpty());
    }

    // The jar from which this program has the API, unless that is the command's, which would bring all of its
    // libraries.
    private static Optional<Path> own() {
        Optional<Path> api = jarOf(WorkerInfo.class);
        return (api.equals(jarOf(WorkerApi.class)) ? api.map(command -> command.resolveSibling(BESIDE)) : api)
                .filter(Files::exists);
    }

    private static Optional<Path> jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(source.getLocation().toURI()));
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            // Loaded by a class loader of its own, from no file.
            return Optional.empty();
        }
    }
}
