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
 * // Soft for the first restarts of the run: after them all workers start again.
 * public final class SoftAtFirst implements RestartPolicyStrategy {
 *     private final RestartPolicyStrategy soft = new SoftNoReplace();
 *     private final int first;
 *
 *     public SoftAtFirst() {
 *         this(2);
 *     }
 *
 *     private SoftAtFirst(int first) {
 *         this.first = first;
 *     }
 *
 *     @Override
 *     public String name() {
 *         return "soft-at-first";
 *     }
 *
 *     @Override
 *     public RestartPolicyStrategy withOption(String option) {
 *         if (!option.matches("\\d{1,6}")) {
 *             throw new IllegalArgumentException("a number");
 *         }
 *         return new SoftAtFirst(Integer.parseInt(option));
 *     }
 *
 *     @Override
 *     public boolean workersOutliveRounds() {
 *         return true;
 *     }
 *
 *     @Override
 *     public RestartDecision decide(GroupView view) {
 *         boolean isLate = view.restarts().charged() >= first;
 *         if (isLate && !view.culprits().isEmpty() && view.budgetLeft() > 0) {
 *             return new RestartDecision.RestartAll(1, "worker failed: " + view.failures());
 *         }
 *         return soft.decide(view);
 *     }
 * }
 * }</pre>
 *
 * <p>The jar has {@code example.SoftAtFirst} as a line of {@code
 * META-INF/services/dev.elasticrun.rendezvous.restart.RestartPolicyStrategy}; {@code elastic-run --policy-path policy.jar
 * --restart-policy soft-at-first:3} uses it, with the jar on every node.
 */
@NullMarked
package dev.elasticrun.rendezvous.restart;

import org.jspecify.annotations.NullMarked;
