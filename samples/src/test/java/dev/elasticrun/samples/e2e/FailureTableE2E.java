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
 * nodes leave, so what dies there are workers of several nodes. Each row prints how long it took, and in how many
 * processes.
 */
@Tag("slow")
@Timeout(240)
@Tag("alone")
final class FailureTableE2E {
    private static final String ONE_EACH = "OPERATION:0:0:1:0,OPERATION:1:1:1:0";
    private static final String DIE_SAME = ONE_EACH + ",OPERATION:4:1:1:0,OPERATION:9:1:1:0";
    private static final String DIE_HARD = DIE_SAME + ",OPERATION:1:1:1:1,OPERATION:8:1:2:0";

    private static final String ALL_BUT_ONE = "OPERATION:0:1:3:0,OPERATION:1:1:3:0,OPERATION:2:1:3:0,OPERATION:3:1:3:0,"
            + "OPERATION:4:1:3:0,OPERATION:5:1:3:0,OPERATION:6:1:3:0,OPERATION:7:1:3:0,OPERATION:9:1:3:0";

    /** In a call of the checkpoint. */
    private static final String AT_CHECKPOINT =
            "OPERATION:0:0:11:0,OPERATION:1:1:11:0,OPERATION:4:1:11:0," + "OPERATION:9:1:11:0,OPERATION:1:1:11:1";

    private static final String STAGED = "STAGED:3:0:-1:0,STAGED:7:1:-1:0";

    /** One on each of four nodes. */
    private static final String NODES_DIE_SAME =
            "OPERATION:0:0:1:0,OPERATION:2:1:1:0,OPERATION:4:1:1:0,OPERATION:9:1:1:0";

    private static final String NODES_DIE_HARD =
            "OPERATION:0:0:1:0,OPERATION:2:1:1:0,OPERATION:4:1:1:0,OPERATION:8:1:2:0";

    /** Elements of the first model, which grows as many times as there are workers, three times. */
    private static final int SMALL = 100;

    /** Up to ten million. */
    private static final int RABITS = 10_000;

    @RegisterExtension
    final TestRun run = new TestRun();

    /** The dead are replaced: the world stays. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "local_recover | LOCAL | " + DIE_HARD,
                "while serving and while recovering | GLOBAL"
                        + " | OPERATION:2:1:3:0,OPERATION:8:1:3:0,SERVING:-1:1:-1:0,FETCHING:2:1:-1:1"
            })
    void replaced_worldStaysAndAllIsRight(String name, Keeping keeping, String deaths) throws IOException {
        replaced(name, keeping, SMALL, deaths, 0);
    }

    /** Rabit's own rows, in its size. */
    @ParameterizedTest(name = "{0}")
    @Tag("soak")
    @CsvSource(
            delimiter = '|',
            value = {
                "nobody | GLOBAL | ''",
                "model_recover | GLOBAL | " + ONE_EACH,
                "model_recover, die_same | GLOBAL | " + DIE_SAME,
                "model_recover, die_hard | GLOBAL | " + DIE_HARD,
                "local_recover | LOCAL | " + DIE_HARD,
                "pylocal_recover | LOCAL | " + AT_CHECKPOINT,
                "lazy_recover, die_same | LAZY | " + DIE_SAME,
                "lazy_recover, die_hard | LAZY | " + DIE_HARD
            })
    void replaced_inRabitsSize_worldStaysAndAllIsRight(String name, Keeping keeping, String deaths) throws IOException {
        replaced(name, keeping, RABITS, deaths, 0);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("soak")
    @CsvSource(
            delimiter = '|',
            value = {
                "in the checkpoint | GLOBAL | " + STAGED,
                "local, in the checkpoint | LOCAL | " + STAGED,
                "lazy, in the checkpoint | LAZY | " + STAGED,
                "in the acknowledgement | GLOBAL | AGREED:3:0:-1:0,AGREED:0:1:-1:0",
                "rank 0, three times | GLOBAL | OPERATION:0:0:4:0,OPERATION:0:1:0:1,OPERATION:0:2:9:2",
                "all workers of a node | GLOBAL | OPERATION:0:1:2:0,OPERATION:1:1:2:0,OPERATION:2:1:2:0,"
                        + "OPERATION:3:1:2:0,OPERATION:4:1:2:0",
                "twice while recovering | GLOBAL | OPERATION:5:2:1:0,FETCHING:5:2:-1:1,FETCHING:5:2:-1:2"
            })
    void replaced_moreRows_worldStaysAndAllIsRight(String name, Keeping keeping, String deaths) throws IOException {
        replaced(name, keeping, SMALL, deaths, 0);
    }

    /** The one that is left has no more than a part of the results: it goes back to the checkpoint, with all. */
    @Test
    void replaced_allButOne_goBackToTheCheckpoint() throws IOException {
        replaced("all but one", Keeping.GLOBAL, SMALL, ALL_BUT_ONE, 1);
    }

    /** The node of a dead worker leaves: the world shrinks and goes back to the last checkpoint. */
    @Test
    void notReplaced_allButOneNode_worldShrinksAndAllIsRight() throws IOException {
        notReplaced(
                "all but one node",
                Keeping.GLOBAL,
                SMALL,
                2,
                "OPERATION:1:1:1:0,OPERATION:3:1:1:0,OPERATION:4:1:1:0,OPERATION:9:1:1:0");
    }

    /** Rabit's own rows, in its size; it has them with replacements only. */
    @ParameterizedTest(name = "{0}")
    @Tag("soak")
    @CsvSource(
            delimiter = '|',
            value = {
                "model_recover | GLOBAL | 6 | OPERATION:0:0:1:0,OPERATION:2:1:1:0",
                "model_recover, die_same | GLOBAL | 2 | " + NODES_DIE_SAME,
                "model_recover, die_hard | GLOBAL | 2 | " + NODES_DIE_HARD,
                "local_recover | LOCAL | 2 | " + NODES_DIE_HARD,
                "pylocal_recover | LOCAL | 4 | OPERATION:0:0:11:0,OPERATION:2:1:11:0,OPERATION:9:1:11:0",
                "lazy_recover, die_same | LAZY | 2 | " + NODES_DIE_SAME,
                "lazy_recover, die_hard | LAZY | 2 | " + NODES_DIE_HARD
            })
    void notReplaced_inRabitsSize_worldShrinksAndAllIsRight(String name, Keeping keeping, int world, String deaths)
            throws IOException {
        notReplaced(name, keeping, RABITS, world, deaths);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("soak")
    @CsvSource(
            delimiter = '|',
            value = {
                "in the checkpoint | GLOBAL | 6 | " + STAGED,
                "local, in the checkpoint | LOCAL | 6 | " + STAGED,
                "lazy, in the checkpoint | LAZY | 6 | " + STAGED,
                "in the acknowledgement | GLOBAL | 6 | AGREED:3:0:-1:0,AGREED:0:1:-1:0",
                "rank 0, three times | GLOBAL | 4 | OPERATION:0:0:4:0,OPERATION:2:1:0:0,OPERATION:4:2:9:0",
                "all workers of a node | GLOBAL | 8 | OPERATION:0:1:2:0,OPERATION:1:1:2:0",
                "while local states are copied | LOCAL | 6 | SERVING:2:1:-1:0,FETCHING:7:2:-1:0"
            })
    void notReplaced_moreRows_worldShrinksAndAllIsRight(String name, Keeping keeping, int world, String deaths)
            throws IOException {
        notReplaced(name, keeping, SMALL, world, deaths);
    }

    /** Two nodes leave with four ranks: what these had for themselves is offered to others, once in the run. */
    @Test
    void notReplaced_localStates_areOfferedToOthers() throws IOException {
        RecoverRun table = notReplaced("local states", Keeping.LOCAL, SMALL, 6, "OPERATION:2:1:1:0,OPERATION:9:1:1:0");
        assertThat(table.lines("orphan of rank ").stream().map(line -> line.replaceAll(" at version 1", "")))
                .contains("orphan of rank 2", "orphan of rank 3", "orphan of rank 8", "orphan of rank 9");
    }

    private void replaced(String name, Keeping keeping, int elements, String deaths, int interruptions)
            throws IOException {
        RecoverRun table = new RecoverRun(run, keeping, deaths)
                .start(2, elements, "--nnodes", "2", "--restart-policy", "soft-replace", "--max-restarts", "20");
        table.awaitEnd();
        table.assertDone(RecoverRun.WORKERS);
        assertThat(table.died()).containsExactlyInAnyOrderElementsOf(script(deaths));
        assertThat(table.processes())
                .isEqualTo(RecoverRun.WORKERS + script(deaths).size());
        assertThat(table.lines("interrupted: "))
                .as("interruptions of survivors")
                .hasSize(interruptions);
        assertThat(table.lines("done as "))
                .allMatch(line -> line.contains("after worlds [10, 10, 10] with " + elements * 1000 + " "));
        System.out.println(table.row(name, "replaced", elements));
    }

    private RecoverRun notReplaced(String name, Keeping keeping, int elements, int world, String deaths)
            throws IOException {
        RecoverRun table = new RecoverRun(run, keeping, deaths)
                .start(5, elements, "--nnodes", "1:5", "--restart-policy", "soft", "--max-restarts", "0");
        table.awaitEnd();
        table.assertDone(world);
        assertThat(table.died()).containsExactlyInAnyOrderElementsOf(script(deaths));
        assertThat(table.processes()).isEqualTo(RecoverRun.WORKERS);
        System.out.println(table.row(name, "not replaced", elements));
        return table;
    }

    private static List<String> script(String deaths) {
        return Stream.of(deaths.split(",", -1)).filter(text -> !text.isEmpty()).toList();
    }
}
