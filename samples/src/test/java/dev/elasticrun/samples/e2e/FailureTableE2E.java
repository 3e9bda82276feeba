/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.e2e.RecoverProgram.Keeping;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rabit's table of failures with ten workers, each death at (rank, version, operation, life). Its tuples that cannot
 * happen, because the rank has died before in the life that they name, are left out. Where the dead are not replaced their
 * nodes leave, so what dies there are workers of several nodes.
 */
@Timeout(240)
@Tag("alone")
final class FailureTableE2E {
    private static final String ONE_EACH = "OPERATION:0:0:1:0,OPERATION:1:1:1:0";
    private static final String DIE_SAME = ONE_EACH + ",OPERATION:4:1:1:0,OPERATION:9:1:1:0";
    private static final String DIE_HARD = DIE_SAME + ",OPERATION:1:1:1:1,OPERATION:8:1:2:0";

    private static final String ALL_BUT_ONE = "OPERATION:0:1:3:0,OPERATION:1:1:3:0,OPERATION:2:1:3:0,OPERATION:3:1:3:0,"
            + "OPERATION:4:1:3:0,OPERATION:5:1:3:0,OPERATION:6:1:3:0,OPERATION:7:1:3:0,OPERATION:9:1:3:0";

    @RegisterExtension
    final TestRun run = new TestRun();

    /** The dead are replaced: the world stays. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "die_hard | " + DIE_HARD,
                "while serving and while recovering"
                        + " | OPERATION:2:1:3:0,OPERATION:8:1:3:0,SERVING:-1:1:-1:0,FETCHING:2:1:-1:1"
            })
    void replaced_worldStaysAndAllIsRight(String name, String deaths) throws IOException {
        replaced(Keeping.GLOBAL, deaths, 0);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("soak")
    @CsvSource(
            delimiter = '|',
            value = {
                "nobody | ''",
                "model_recover | " + ONE_EACH,
                "in the checkpoint | STAGED:3:0:-1:0,STAGED:7:1:-1:0",
                "in the acknowledgement | AGREED:3:0:-1:0,AGREED:0:1:-1:0",
                "die_same | " + DIE_SAME,
                "rank 0, three times | OPERATION:0:0:4:0,OPERATION:0:1:0:1,OPERATION:0:2:9:2",
                "all workers of a node | OPERATION:0:1:2:0,OPERATION:1:1:2:0,OPERATION:2:1:2:0,OPERATION:3:1:2:0,"
                        + "OPERATION:4:1:2:0",
                "twice while recovering | OPERATION:5:2:1:0,FETCHING:5:2:-1:1,FETCHING:5:2:-1:2"
            })
    void replaced_moreRows_worldStaysAndAllIsRight(String name, String deaths) throws IOException {
        replaced(Keeping.GLOBAL, deaths, 0);
    }

    /** The one that is left has no more than a part of the results: it goes back to the checkpoint, with all. */
    @Test
    void replaced_allButOne_goBackToTheCheckpoint() throws IOException {
        replaced(Keeping.GLOBAL, ALL_BUT_ONE, 1);
    }

    /** The node of a dead worker leaves: the world shrinks and goes back to the last checkpoint. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {"all but one node | 2 | OPERATION:1:1:1:0,OPERATION:3:1:1:0,OPERATION:4:1:1:0,OPERATION:9:1:1:0"})
    void notReplaced_worldShrinksAndAllIsRight(String name, int world, String deaths) throws IOException {
        notReplaced(Keeping.GLOBAL, world, deaths);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("soak")
    @CsvSource(
            delimiter = '|',
            value = {
                "model_recover | 6 | OPERATION:0:0:1:0,OPERATION:2:1:1:0",
                "in the acknowledgement | 8 | AGREED:3:1:-1:0",
                "die_same | 2 | OPERATION:0:0:1:0,OPERATION:2:1:1:0,OPERATION:4:1:1:0,OPERATION:9:1:1:0",
                "die_hard | 2 | OPERATION:0:0:1:0,OPERATION:2:1:1:0,OPERATION:4:1:1:0,OPERATION:8:1:2:0",
                "in the checkpoint | 6 | STAGED:3:0:-1:0,STAGED:7:1:-1:0",
                "rank 0, three times | 4 | OPERATION:0:0:4:0,OPERATION:2:1:0:0,OPERATION:4:2:9:0"
            })
    void notReplaced_moreRows_worldShrinksAndAllIsRight(String name, int world, String deaths) throws IOException {
        notReplaced(Keeping.GLOBAL, world, deaths);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "local_recover | LOCAL | " + DIE_HARD,
            })
    void replaced_otherKeeping_allIsRight(String name, Keeping keeping, String deaths) throws IOException {
        replaced(keeping, deaths, 0);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("soak")
    @CsvSource(
            delimiter = '|',
            value = {
                "lazy_recover, die_hard | LAZY | " + DIE_HARD,
                "lazy_recover, die_same | LAZY | " + DIE_SAME,
                "local, in the checkpoint | LOCAL | STAGED:3:0:-1:0,STAGED:7:1:-1:0",
                "lazy, in the checkpoint | LAZY | STAGED:3:0:-1:0,STAGED:7:1:-1:0"
            })
    void replaced_otherKeepingMoreRows_allIsRight(String name, Keeping keeping, String deaths) throws IOException {
        replaced(keeping, deaths, 0);
    }

    /** Two nodes leave with four ranks: what these had for themselves is offered to others, once in the run. */
    @Test
    void notReplaced_localStates_areOfferedToOthers() throws IOException {
        RecoverRun table = notReplaced(Keeping.LOCAL, 6, "OPERATION:2:1:1:0,OPERATION:9:1:1:0");
        assertThat(table.lines("orphan of rank ").stream().map(line -> line.replaceAll(" at version 1", "")))
                .contains("orphan of rank 2", "orphan of rank 3", "orphan of rank 8", "orphan of rank 9");
    }

    @Test
    @Tag("soak")
    void notReplaced_lazily_worldShrinksAndAllIsRight() throws IOException {
        notReplaced(Keeping.LAZY, 6, "OPERATION:2:1:1:0,OPERATION:9:1:1:0");
    }

    private void replaced(Keeping keeping, String deaths, int interruptions) throws IOException {
        RecoverRun table = new RecoverRun(run, keeping, deaths)
                .start(2, 100, "--nnodes", "2", "--restart-policy", "soft-replace", "--max-restarts", "20");
        table.awaitEnd();
        table.assertDone(RecoverRun.WORKERS);
        assertThat(table.died()).containsExactlyInAnyOrderElementsOf(script(deaths));
        assertThat(table.processes())
                .isEqualTo(RecoverRun.WORKERS + script(deaths).size());
        assertThat(table.lines("interrupted: "))
                .as("interruptions of survivors")
                .hasSize(interruptions);
        assertThat(table.lines("done as ")).allMatch(line -> line.contains("after worlds [10, 10, 10] with 100000 "));
    }

    private RecoverRun notReplaced(Keeping keeping, int world, String deaths) throws IOException {
        RecoverRun table = new RecoverRun(run, keeping, deaths)
                .start(5, 100, "--nnodes", "1:5", "--restart-policy", "soft", "--max-restarts", "0");
        table.awaitEnd();
        table.assertDone(world);
        assertThat(table.died()).containsExactlyInAnyOrderElementsOf(script(deaths));
        assertThat(table.processes()).isEqualTo(RecoverRun.WORKERS);
        return table;
    }

    private static List<String> script(String deaths) {
        return Stream.of(deaths.split(",", -1)).filter(text -> !text.isEmpty()).toList();
    }
}
