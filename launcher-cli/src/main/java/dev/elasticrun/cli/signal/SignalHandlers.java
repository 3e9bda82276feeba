/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.signal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of the operating system. By reflection: the compiler does not let sources for a fixed release see {@code
 * sun.misc}, and the JDK has nothing else.
 */
public final class SignalHandlers {
    private SignalHandlers() {}

    /**
     * Runs the action each time the signal comes, on a thread of its own. A signal that the process was started to
     * ignore stays ignored.
     *
     * @param name without SIG
     */
    public static void install(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.run();
                    yield null;
                }
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "handler of SIG" + name;
            };
            Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, calls);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot handle SIG" + name + " on this JVM", e);
        }
    }
}
