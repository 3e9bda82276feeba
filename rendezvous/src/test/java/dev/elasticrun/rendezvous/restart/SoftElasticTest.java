/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

final class SoftElasticTest extends RestartPolicyContract {

    @Override
    protected RestartPolicyStrategy policy() {
        return new SoftElastic();
    }
}
