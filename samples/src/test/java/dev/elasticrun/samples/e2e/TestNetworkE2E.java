/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.MachinePart;
import dev.elasticrun.samples.Main;
import dev.elasticrun.testing.ElasticRun;
import dev.elasticrun.testing.ElasticRunExtension;
import dev.elasticrun.testing.TestHost;
import dev.elasticrun.testing.TestNetwork;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Losses and links on the network of elastic-run-testing; how a host is cut off is the example of its page. */
@Tag("slow")
@Timeout(120)
final class TestNetworkE2E {
    @RegisterExtension
    static final ElasticRunExtension RUNS = ElasticRunExtension.ofNodes(2)
            .workersPerNode(1)
            .flags("--lease-ttl", "2s", "--peer-timeout", "2500ms")
            .environment(
                    "PATH",
                    fetched("iproute2", "ip")
                            + File.pathSeparator
                            + fetched("nftables", "nft")
                            + File.pathSeparator
                            + System.getenv("PATH"));

    @Test
    void hostLosesAllPackets_thenALinkIsCut_theRunIsWholeWhenTheyAnswerAgain(ElasticRun run) {
        TestNetwork network = MachinePart.require("network namespaces", run::network);
        run.start(Main.class, "train", "--data", "data/breast-cancer.csv", "--steps", "1000000");
        run.awaitWorld(2);
        assertThat(run.network()).isSameAs(network);
        TestHost one = network.host(1);
        TestHost other = run.node(2).host();
        assertThat(other.address()).isNotEqualTo(one.address());
        assertThatThrownBy(() -> other.lose(101)).hasMessage("percent: 101.0 (expected: 0 to 100)");
        assertThatThrownBy(() -> network.host(3)).hasMessageStartingWith("host: 3 (expected: 1 to 2,");

        other.lose(100);
        run.awaitWorld(1);
        other.lose(0);
        run.awaitWorld(2);

        long round = run.round();
        network.cut(one, other);
        run.awaitEvent(RunEvent.PeerLost.class, lost -> lost.lostRound() == round);
        network.heal(one, other);
        run.awaitEvent(RunEvent.RoundDecided.class, decided -> decided.causes().stream()
                .anyMatch(Cause.LinksBroken.class::isInstance));
        run.awaitWorld(2);
    }

    private static Path fetched(String packageName, String program) {
        return FetchedPrograms.directory(packageName, List.of(packageName), List.of(program));
    }
}
