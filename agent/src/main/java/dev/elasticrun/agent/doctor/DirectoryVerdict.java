/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.directory.RunDirectoryPlace;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether there is a place for the files of a run. Pure. */
final class DirectoryVerdict {
    private static final String RUN_DIRECTORY = "run directory";
    private static final String SPACE = "space for checkpoints";
    private static final String LOGS = "logs";

    private DirectoryVerdict() {}

    /** @param places in the order in which an agent tries them, at least one */
    static Check runDirectory(List<RunDirectoryPlace> places) {
        Optional<RunDirectoryPlace> chosen = usable(places).stream().findFirst();
        if (chosen.isEmpty()) {
            return Check.error(
                    RUN_DIRECTORY,
                    objections(places),
                    "make one of them a directory that can be written, with 64 MiB free and 3 MiB for each worker;"
                            + " TMPDIR names another one");
        }
        RunDirectoryPlace place = chosen.get();
        String found = "in " + place.base() + ", " + Sizes.text(place.freeBytes()) + " free";
        List<RunDirectoryPlace> before = places.subList(0, places.indexOf(place));
        return before.isEmpty()
                ? Check.ok(RUN_DIRECTORY, found)
                : Check.warning(
                        RUN_DIRECTORY,
                        found + "; " + objections(before),
                        "correct this: in " + places.get(0).base() + " files of the run are in memory, and faster");
    }

    /** @param load with a size of checkpoints */
    static Check space(List<RunDirectoryPlace> places, NodeLoad load) {
        long needed = load.stateBytes();
        List<RunDirectoryPlace> usable = usable(places);
        String found = usable.stream()
                .map(place -> Sizes.text(place.freeBytes()) + " in " + place.base())
                .collect(Collectors.joining(", "));
        String wanted = NodeLoad.FILES_OF_A_STATE + " files of "
                + Sizes.text(load.checkpointBytes().orElse(0));
        boolean fitsFirst = !usable.isEmpty() && usable.get(0).freeBytes() >= needed;
        if (fitsFirst) {
            return Check.ok(SPACE, found + " for " + wanted);
        }
        boolean fitsLater = usable.stream().anyMatch(place -> place.freeBytes() >= needed);
        return fitsLater
                ? Check.warning(
                        SPACE,
                        found + " for " + wanted,
                        "make the first one larger (--shm-size of a container, a volume of memory in Kubernetes), or"
                                + " states go to the disk, which is slower")
                : Check.error(
                        SPACE,
                        (found.isEmpty() ? "nothing usable" : found) + " for " + wanted,
                        "make one of the places larger, or name another disk by TMPDIR: checkpoints would not be kept");
    }

    /** @param expected what was expected of the directory; empty = it is as it should be */
    static Check logs(Path directory, Optional<String> expected) {
        return expected.map(what -> Check.error(
                        LOGS, directory.toString(), "expected: " + what + "; or give --log-dir another one"))
                .orElseGet(() -> Check.ok(LOGS, directory.toString()));
    }

    private static List<RunDirectoryPlace> usable(List<RunDirectoryPlace> places) {
        return places.stream().filter(place -> place.objection().isEmpty()).toList();
    }

    private static String objections(List<RunDirectoryPlace> places) {
        return places.stream()
                .map(place ->
                        "not in " + place.base() + ": " + place.objection().orElse(""))
                .collect(Collectors.joining("; "));
    }
}
