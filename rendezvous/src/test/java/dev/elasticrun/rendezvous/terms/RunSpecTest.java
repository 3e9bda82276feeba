/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RunSpecTest {
    private final RunSpec spec = RunSpecs.of("i", RunSpecs.terms(2, 3, "hard", 3));

    @Test
    void differences_sameWishes_none() {
        assertThat(spec.differences(config(2, 3, "hard", 9), spec.terms().nodes()))
                .isEmpty();
    }

    @Test
    void differences_runWasScaled_numbersOfTheStartAndOfNowAreTakenOthersAreNot() {
        NodeBounds target = new NodeBounds(2, 8);

        assertThat(spec.differences(config(2, 3, "hard", 9), target)).isEmpty();
        assertThat(spec.differences(config(2, 8, "hard", 9), target)).isEmpty();
        assertThat(spec.differences(config(1, 8, "hard", 9), target))
                .singleElement()
                .asString()
                .contains("1:8", "2:3", "2:8");
    }

    @Test
    void differences_other_namesBothValuesOfEach() {
        assertThat(spec.differences(
                        config(1, 4, "soft-no-replace", 3), spec.terms().nodes()))
                .satisfiesExactly(
                        nodes -> assertThat(nodes).startsWith("--nnodes: 1:4 (expected: 2:3,"),
                        policy -> assertThat(policy).startsWith("--restart-policy: soft-no-replace (expected: hard,"));
    }

    @Test
    void differences_otherOptionOfThePolicy_namesBoth() {
        RunSpec optioned = RunSpecs.of("i", RunSpecs.terms(2, 3, "own:first=2", 3));

        assertThat(optioned.differences(
                        config(2, 3, "own:first=3", 3), optioned.terms().nodes()))
                .containsExactly(
                        "--restart-policy: own:first=3 (expected: own:first=2, with which run demo was started)");
        assertThat(optioned.differences(config(2, 3, "own", 3), optioned.terms().nodes()))
                .singleElement()
                .asString()
                .startsWith("--restart-policy: own (expected: own:first=2,");
    }

    @Test
    void differences_localStatesProtectedOtherwise_namesBothFlagsAndTheRun() {
        assertThat(localDifference(LocalProtection.copies(1), LocalProtection.copies(2)))
                .isEqualTo("--local-replicas: 1 (expected: --local-replicas 2 on all nodes, with which run demo was"
                        + " started)");
        assertThat(localDifference(LocalProtection.parity(4), LocalProtection.parity(8)))
                .startsWith("--checkpoint-parity: 4 (expected: --checkpoint-parity 8 on all nodes,");
        assertThat(localDifference(LocalProtection.copies(4), LocalProtection.parity(4)))
                .startsWith("--local-replicas: 4 (expected: --checkpoint-parity 4 on all nodes,");
        assertThat(localDifference(LocalProtection.parity(2), LocalProtection.copies(0)))
                .startsWith("--checkpoint-parity: 2 (expected: --local-replicas 0 on all nodes,");
    }

    @Test
    void differences_sameParity_none() {
        RunTerms terms = protectedBy(LocalProtection.parity(4));

        assertThat(RunSpecs.of("i", terms).differences(config(terms, null), terms.nodes()))
                .isEmpty();
    }

    @Test
    void differences_anotherKey_isNamed() {
        byte[] key = {1, 2, 3};
        byte[] proof = KeyProof.of(key, "demo", "i", "off");
        RunSpec proved = new RunSpec("i", spec.terms(), new byte[0], proof, 0);
        RunSpec minted = new RunSpec("i", spec.terms(), key, proof, 0);
        RendezvousConfig right = config(2, 3, "hard", 3, key);
        RendezvousConfig wrong = config(2, 3, "hard", 3, new byte[] {1, 2, 4});

        assertThat(proved.differences(right, proved.terms().nodes())).isEmpty();
        assertThat(minted.differences(right, minted.terms().nodes())).isEmpty();
        assertThat(proved.differences(wrong, proved.terms().nodes()))
                .singleElement()
                .asString()
                .startsWith("--run-key-file: ")
                .doesNotContain("(expected: none,");
        assertThat(minted.differences(wrong, minted.terms().nodes()))
                .singleElement()
                .asString()
                .startsWith("--run-key-file: ")
                .contains("(expected: none,");
    }

    @Test
    void keyProof_isOfThisRunAndWhatItAgreedOn() {
        byte[] key = {1, 2, 3};

        assertThat(KeyProof.of(key, "demo", "i", "off"))
                .isEqualTo(KeyProof.of(key, "demo", "i", "off"))
                .isNotEqualTo(KeyProof.of(key, "other", "i", "off"))
                .isNotEqualTo(KeyProof.of(key, "demo", "j", "off"))
                .isNotEqualTo(KeyProof.of(key, "demo", "i", "on"));
    }

    private static String localDifference(LocalProtection here, LocalProtection ofTheRun) {
        RunTerms terms = protectedBy(ofTheRun);
        List<String> differences = RunSpecs.of("i", terms).differences(config(protectedBy(here), null), terms.nodes());
        assertThat(differences).hasSize(1);
        return differences.get(0);
    }

    private static RunTerms protectedBy(LocalProtection locals) {
        return new RunTerms(new NodeBounds(2, 3), "soft", "none", "off", locals, 3);
    }

    private static RendezvousConfig config(int min, int max, String policy, int budget) {
        return config(min, max, policy, budget, null);
    }

    private static RendezvousConfig config(int min, int max, String policy, int budget, byte @Nullable [] key) {
        return config(RunSpecs.terms(min, max, policy, budget), key);
    }

    private static RendezvousConfig config(RunTerms terms, byte @Nullable [] key) {
        Duration second = Duration.ofSeconds(1);
        return new RendezvousConfig(
                "demo",
                terms,
                LeaseTimes.of(second),
                new RoundTimes(second, second, second, second, second, second),
                new StoreContact("etcd", second, second),
                new RunKeySource(key, true));
    }
}
