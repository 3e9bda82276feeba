/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import dev.elasticrun.rendezvous.RestartPolicyContract;

final class SoftReplaceTest extends RestartPolicyContract {

    @Override
    protected RestartPolicyStrategy policy() {
        return new SoftReplace();
    }
}
