/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.lang.reflect.InvocationTargetException;

/** XGBoost keeps its group in a variable of the native thread, which a virtual thread changes as it goes. */
final class PlatformThread {
    private PlatformThread() {}

    /** @throws IllegalStateException on a virtual thread */
    static void require() {
        Thread thread = Thread.currentThread();
        if (isVirtual(thread)) {
            throw new IllegalStateException("thread '" + thread.getName()
                    + "' is virtual (expected: a platform thread, XGBoost loses its group" + " on others)");
        }
    }

    /** By reflection, as Java 17 has neither virtual threads nor the question. */
    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }
}
