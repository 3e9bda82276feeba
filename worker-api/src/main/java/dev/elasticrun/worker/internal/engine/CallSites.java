/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import java.lang.StackWalker.StackFrame;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where in the program calls of the collective are made. Looks at the frames down to the program's and no further, and
 * puts a place into words once: finding out the line of a frame takes longer than all the rest. One thread at a time.
 */
public final class CallSites {
    private static final String UNKNOWN = "an unknown place";
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Classes through which a program's call goes. */
    private static final Set<String> OURS = Set.of(
            CallSites.class.getName(),
            engine("Bootstrap"),
            engine("CheckpointCalls"),
            engine("Engine"),
            engine("RoundSession"),
            engine("DataPlane"),
            "dev.elasticrun.worker.Collective",
            "dev.elasticrun.worker.AsyncCollective",
            "dev.elasticrun.worker.ByteGather",
            "dev.elasticrun.worker.ElasticState",
            "dev.elasticrun.worker.StateForm",
            "dev.elasticrun.worker.LocalForm",
            "dev.elasticrun.worker.WorkerRuntime",
            "dev.elasticrun.worker.ElasticRuntime",
            "dev.elasticrun.worker.ElasticLoop");

    private static final ClassValue<Boolean> IS_OURS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return OURS.contains(outermost(type.getName()));
        }
    };

    private final Map<Place, String> known = new HashMap<>();

    /** A place as the frame gives it without a look into the class. Methods of one name can have the same index. */
    private record Place(Class<?> type, String method, String descriptor, int index) {}

    /** Class, method and line; of the thread that calls. */
    public static String caller() {
        return WALKER.walk(CallSites::program).map(CallSites::describe).orElse(UNKNOWN);
    }

    /** As {@link #caller}; cheap for a place that called before. */
    String again() {
        Optional<StackFrame> frame = WALKER.walk(CallSites::program);
        return frame.isEmpty() ? UNKNOWN : known.computeIfAbsent(place(frame.get()), at -> describe(frame.get()));
    }

    private static Optional<StackFrame> program(Stream<StackFrame> frames) {
        return frames.filter(frame -> !IS_OURS.get(frame.getDeclaringClass())).findFirst();
    }

    private static Place place(StackFrame frame) {
        return new Place(
                frame.getDeclaringClass(),
                frame.getMethodName(),
                Objects.requireNonNull(frame.getDescriptor()),
                frame.getByteCodeIndex());
    }

    /** By name: the classes of this package use this one. */
    private static String engine(String simpleName) {
        return CallSites.class.getPackageName() + "." + simpleName;
    }

    private static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static String describe(StackFrame frame) {
        return frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
    }
}
