/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.directory.RunDirectoryPlace;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class DirectoryVerdictTest {
    private static final long MIB = 1 << 20;

    private static RunDirectoryPlace place(String base, long mebibytes) {
        return new RunDirectoryPlace(Path.of(base), mebibytes * MIB, Optional.empty());
    }

    private static RunDirectoryPlace refused(String base, String why) {
        return new RunDirectoryPlace(Path.of(base), 0, Optional.of(why));
    }

    private static NodeLoad checkpointOf(long mebibytes) {
        return new NodeLoad(1, 1, OptionalLong.empty(), OptionalLong.of(mebibytes * MIB));
    }

    @Test
    void runDirectory_firstPlaceFits_isOk() {
        Check check = DirectoryVerdict.runDirectory(List.of(place("/dev/shm", 64), place("/tmp", 900)));

        assertThat(check).isEqualTo(Check.ok("run directory", "in /dev/shm, 64.0 MiB free"));
    }

    @Test
    void runDirectory_firstPlaceRefused_isAWarningWithTheReason() {
        Check check = DirectoryVerdict.runDirectory(List.of(refused("/dev/shm", "1 MiB free"), place("/tmp", 900)));

        assertThat(check.health()).isEqualTo(Health.WARNING);
        assertThat(check.found()).isEqualTo("in /tmp, 900.0 MiB free; not in /dev/shm: 1 MiB free");
    }

    @Test
    void runDirectory_noPlace_isAnErrorWithAllReasons() {
        Check check = DirectoryVerdict.runDirectory(List.of(refused("/dev/shm", "a"), refused("/tmp", "b")));

        assertThat(check.health()).isEqualTo(Health.ERROR);
        assertThat(check.found()).contains("/dev/shm: a", "/tmp: b");
    }

    @Test
    void space_isForThreeFilesOfTheState() {
        List<RunDirectoryPlace> places = List.of(place("/dev/shm", 300), place("/tmp", 3000));

        assertThat(DirectoryVerdict.space(places, checkpointOf(100)).health()).isEqualTo(Health.OK);
        assertThat(DirectoryVerdict.space(places, checkpointOf(101)).health()).isEqualTo(Health.WARNING);
        assertThat(DirectoryVerdict.space(places, checkpointOf(1001)).health()).isEqualTo(Health.ERROR);
    }

    @Test
    void space_noPlaceIsUsable_isAnError() {
        assertThat(DirectoryVerdict.space(List.of(refused("/dev/shm", "a")), checkpointOf(1))
                        .health())
                .isEqualTo(Health.ERROR);
    }

    @Test
    void logs_unsuitable_namesWhatWasExpected() {
        Check check = DirectoryVerdict.logs(Path.of("/logs"), Optional.of("a directory that can be written"));

        assertThat(check.health()).isEqualTo(Health.ERROR);
        assertThat(check.advice()).contains("a directory that can be written", "--log-dir");
    }
}
