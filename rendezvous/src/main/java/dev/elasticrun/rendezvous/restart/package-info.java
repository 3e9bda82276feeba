/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Restart policies: a public SPI, and the built-in ones.
 *
 * <pre>{@code
 * package example;
 *
 * import dev.elasticrun.rendezvous.restart.GroupView;
 * import dev.elasticrun.rendezvous.restart.RestartDecision;
 * import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
 * import dev.elasticrun.rendezvous.restart.SoftNoReplace;
 *
 * // Soft, until workers of half the nodes fail at once: then all start again.
 * public final class SoftUntilHalf implements RestartPolicyStrategy {
 *     private final RestartPolicyStrategy soft = new SoftNoReplace();
 *
 *     @Override
 *     public String name() {
 *         return "soft-until-half";
 *     }
 *
 *     @Override
 *     public boolean workersOutliveRounds() {
 *         return true;
 *     }
 *
 *     @Override
 *     public RestartDecision decide(GroupView view) {
 *         int failed = view.culprits().size();
 *         if (failed > 0 && 2 * failed >= view.members().size() && view.budgetLeft() > 0) {
 *             return new RestartDecision.RestartAll(1, failed + " nodes failed at once");
 *         }
 *         return soft.decide(view);
 *     }
 * }
 * }</pre>
 *
 * <p>The jar has {@code example.SoftUntilHalf} as a line of {@code
 * META-INF/services/dev.elasticrun.rendezvous.restart.RestartPolicyStrategy}; {@code elastic-run --policy-path policy.jar
 * --restart-policy soft-until-half} uses it, with the jar on every node.
 */
@NullMarked
package dev.elasticrun.rendezvous.restart;

import org.jspecify.annotations.NullMarked;
