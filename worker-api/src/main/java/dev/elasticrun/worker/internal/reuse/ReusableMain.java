/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.reuse;

import dev.elasticrun.worker.contract.WorkerOrder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a process that works for one run after the other: calls that of the program for each. The process ends with
 * its agent, when the program throws, and when it exits by itself.
 */
public final class ReusableMain {
    private static final int ARGUMENTS = 2;

    private final Method program;
    private final BufferedReader orders;
    private final OutputStream answers;

    private ReusableMain(Method program, SocketChannel agent) {
        this.program = program;
        // A channel that is read and written at a time by streams of it would block for ever: one thread does both.
        this.orders = new BufferedReader(new InputStreamReader(Channels.newInputStream(agent), StandardCharsets.UTF_8));
        this.answers = Channels.newOutputStream(agent);
    }

    /** @param arguments the agent's socket, the main class of the program */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException(
                    "arguments: " + List.of(arguments) + " (expected: socket, main class; elastic-run starts this)");
        }
        Method program = program(arguments[1]);
        try (SocketChannel agent = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]))) {
            new ReusableMain(program, agent).work(SwitchedOutput.ofOut(), SwitchedOutput.ofErr());
        }
    }

    private static Method program(String mainClass) throws ReflectiveOperationException {
        // Not initialised here: what that throws is the program's failure.
        Class<?> type = Class.forName(mainClass, false, ClassLoader.getSystemClassLoader());
        Method main = type.getMethod("main", String[].class);
        if (!Modifier.isStatic(main.getModifiers())) {
            throw new IllegalArgumentException(mainClass + ": main is not static (expected: public static void main)");
        }
        main.setAccessible(true);
        return main;
    }

    private void work(SwitchedOutput out, SwitchedOutput err) throws IOException {
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            WorkerOrder order = WorkerOrder.parse(line);
            Assignment assignment = Assignment.begin(order.environment());
            out.to(order.stdout());
            err.to(order.stderr());
            run(order.arguments().toArray(String[]::new));
            awaitThreads();
            assignment.end();
            System.out.flush();
            System.err.flush();
            answers.write((WorkerOrder.ENDED + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void run(String[] arguments) {
        try {
            program.invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e.getCause());
            Runtime.getRuntime().exit(1);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("main cannot be called", e);
        }
    }

    /** A program has ended when its last thread that is no daemon has; interrupts of the program end with it. */
    private static void awaitThreads() {
        boolean isAlone = false;
        while (!isAlone) {
            try {
                joinOthers();
                isAlone = true;
            } catch (InterruptedException ofTheProgram) {
                // Goes on waiting.
            }
        }
        Thread.interrupted();
    }

    private static void joinOthers() throws InterruptedException {
        for (Thread other = other(); other != null; other = other()) {
            other.join();
        }
    }

    private static @Nullable Thread other() {
        Thread self = Thread.currentThread();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon() && !thread.equals(self))
                .findFirst()
                .orElse(null);
    }
}
