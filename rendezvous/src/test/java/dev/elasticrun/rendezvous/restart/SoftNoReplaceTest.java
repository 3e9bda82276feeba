/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

final class SoftNoReplaceTest extends RestartPolicyContract {

    @Override
    protected RestartPolicyStrategy policy() {
        return new SoftNoReplace();
    }
}
