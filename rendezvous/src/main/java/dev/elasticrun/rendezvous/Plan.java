/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

/**
 * A decision, what to remember for the next one, and why. For a wait, the reason says for whom.
 */
record Plan(Decision decision, Gathering gathering, String reason) {}
