/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The case of docs/torchelastic-cases.md about what others plug in: here, policies. */
final class TorchelasticPolicyCasesTest {
    @TempDir
    private Path path;

    /** A policy of somebody's own. */
    public static final class Own implements RestartPolicyStrategy {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public boolean workersOutliveRounds() {
            return true;
        }

        @Override
        public RestartDecision decide(GroupView view) {
            return new RestartDecision.Keep("whatever happens");
        }
    }

    /** Another one that calls itself as a built-in one does. */
    public static final class SecondHard implements RestartPolicyStrategy {
        @Override
        public String name() {
            return "hard";
        }

        @Override
        public boolean workersOutliveRounds() {
            return false;
        }

        @Override
        public RestartDecision decide(GroupView view) {
            return new RestartDecision.Keep("whatever happens");
        }
    }

    @Test
    void r30_policyOnAPathOfItsOwn_isFoundByItsName() throws IOException {
        offer(Own.class.getName());

        assertThat(RestartPolicies.byName("own", path.toString())).isInstanceOf(Own.class);
        assertThat(RestartPolicies.byName("hard", path.toString())).isInstanceOf(HardRestart.class);
    }

    @Test
    void r30_sameClassOfferedTwice_isOnePolicy() throws IOException {
        offer(HardRestart.class.getName());

        assertThat(RestartPolicies.byName("hard", path.toString())).isInstanceOf(HardRestart.class);
    }

    @Test
    void r30_twoClassesOfOneName_areRefusedWithBoth() throws IOException {
        offer(SecondHard.class.getName());

        assertThatThrownBy(() -> RestartPolicies.byName("soft", path.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(HardRestart.class.getName())
                .hasMessageContaining(SecondHard.class.getName());
    }

    @Test
    void r30_classThatIsNotThere_isRefusedWithItsName() throws IOException {
        offer("nowhere.NoSuchPolicy");

        assertThatThrownBy(() -> RestartPolicies.byName("own", path.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere.NoSuchPolicy");
    }

    private void offer(String className) throws IOException {
        Path services = Files.createDirectories(path.resolve("META-INF/services"));
        Files.writeString(services.resolve(RestartPolicyStrategy.class.getName()), className);
    }
}
