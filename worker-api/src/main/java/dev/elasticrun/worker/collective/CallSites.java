/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.util.Set;

/** Where in the program a call of the collective was made. Walks the stack: for failures and rare calls only. */
final class CallSites {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Classes through which a program's call goes. */
    private static final Set<String> OURS = Set.of(
            CallSites.class.getName(),
            Collective.class.getName(),
            AsyncCollective.class.getName(),
            Bootstrap.class.getName(),
            Engine.class.getName(),
            Gathering.class.getName(),
            OpenRound.class.getName(),
            DataPlane.class.getName(),
            "dev.elasticrun.worker.ElasticState",
            "dev.elasticrun.worker.WorkerRuntime",
            "dev.elasticrun.worker.ElasticRuntime",
            "dev.elasticrun.worker.ElasticLoop");

    private CallSites() {}

    /** Class, method and line; of the thread that calls. */
    static String caller() {
        return WALKER.walk(frames -> frames.filter(frame -> !OURS.contains(outermost(frame.getClassName())))
                .findFirst()
                .map(CallSites::describe)
                .orElse("an unknown place"));
    }

    private static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static String describe(StackWalker.StackFrame frame) {
        return frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
    }
}
