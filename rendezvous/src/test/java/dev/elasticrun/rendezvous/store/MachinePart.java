/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs of its machine, and a machine may lack. With {@code CI=true} in the environment a part that is missing
 * fails the test, so that nothing is left out unseen; elsewhere the test is aborted. Both name the part.
 */
public final class MachinePart {
    private MachinePart() {}

    /** Makes or finds a part. */
    @FunctionalInterface
    public interface Supplier<T> {
        T get() throws Exception;
    }

    /**
     * The part, or the end of the test if there is none.
     *
     * @param name what it is and what it takes, as {@code setpriv of util-linux on the PATH}
     */
    public static <T> T require(String name, Supplier<T> part) {
        try {
            return part.get();
        } catch (Exception e) {
            missing(name, e);
            throw new AssertionError("the test goes on without " + name, e);
        }
    }

    /** Ends the test. */
    public static void missing(String name, Exception why) {
        missing(name, why, System.getenv());
    }

    static void missing(String name, Exception why, Map<String, String> environment) {
        String message = "this machine lacks " + name + ": " + why.getMessage();
        if (Boolean.parseBoolean(environment.get("CI"))) {
            Assertions.fail(message, why);
        }
        Assumptions.abort(message);
    }
}
