/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

final class HardRestartTest extends RestartPolicyContract {

    @Override
    protected RestartPolicyStrategy policy() {
        return new HardRestart();
    }
}
