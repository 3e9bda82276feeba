/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fuzz;

import java.util.Random;

/** Makes what a stranger sends to a listener. The same random gives the same bytes. */
@FunctionalInterface
public interface FuzzSource {
    byte[] next(Random random);

    /** One of them each time. */
    static FuzzSource oneOf(FuzzSource... sources) {
        return random -> sources[random.nextInt(sources.length)].next(random);
    }
}
