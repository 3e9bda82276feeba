/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.ssh;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.signal.SignalHandlers;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections to all hosts: what agents print goes to one console, and signals of this process go to all agents. An agent
 * that ends is for the others to miss.
 */
final class SshRun {
    private final SshPlan plan;
    private final List<String> client;
    private final String key;
    private final PrintStream out;
    private final PrintStream err;
    private final SshConnections connections = new SshConnections();

    /** Guarded by this. */
    private int unreached;

    /**
     * @param client ssh and its options
     * @param key that of the run, in characters that a line can have
     */
    SshRun(SshPlan plan, List<String> client, String key, PrintStream out, PrintStream err) {
        this.plan = plan;
        this.client = List.copyOf(client);
        this.key = key;
        this.out = out;
        this.err = err;
    }

    /** Starts all agents and waits for their ends. Returns what the process is to exit with. */
    int run() {
        for (String signal : List.of("INT", "TERM", "HUP")) {
            SignalHandlers.install(signal, connections::drain);
        }
        try {
            for (int index = 0; index < plan.hosts().size(); index++) {
                connections.add(connect(index));
            }
        } catch (IOException e) {
            connections.drain();
            print(err, "elastic-run: ssh cannot be started: " + e.getMessage() + " (expected: OpenSSH's client)");
            return ExitCode.USAGE.code();
        }
        List<SshConnection> connected = connections.all();
        List<Thread> waiting = new ArrayList<>();
        int[] codes = new int[connected.size()];
        for (int index = 0; index < codes.length; index++) {
            int own = index;
            Thread thread = new Thread(() -> codes[own] = awaitEnd(connected.get(own)), "ssh-end");
            thread.setDaemon(true);
            thread.start();
            waiting.add(thread);
        }
        try {
            for (Thread thread : waiting) {
                thread.join();
            }
        } catch (InterruptedException e) {
            connections.drain();
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        }
        return result(codes);
    }

    /** 0 if an agent has seen the run succeed, else the exit code of the first host, unless too few could be reached. */
    private synchronized int result(int[] codes) {
        for (int code : codes) {
            if (code == ExitCode.SUCCEEDED.code()) {
                return code;
            }
        }
        return areTooFew() ? ExitCode.USAGE.code() : codes[0];
    }

    private SshConnection connect(int index) throws IOException {
        SshHost host = plan.hosts().get(index);
        List<String> command = new ArrayList<>(client);
        command.addAll(List.of(host.destination(), plan.remoteCommand(index)));
        String prefix = "[" + host.name() + "] ";
        return SshConnection.start(
                host.name(), command, key, line -> print(out, prefix + line), line -> print(err, prefix + line));
    }

    private int awaitEnd(SshConnection connection) {
        try {
            SshConnection.Ended ended = connection.await();
            return switch (ended.end()) {
                case AGENT -> ended.code();
                case LOST -> {
                    print(
                            err,
                            "elastic-run: the connection to " + connection.host()
                                    + " was lost; its agent leaves the run");
                    yield ExitCode.DRAINED.code();
                }
                case UNREACHED -> {
                    miss(connection.host());
                    yield ExitCode.USAGE.code();
                }
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        }
    }

    private synchronized void miss(String host) {
        unreached++;
        print(err, "elastic-run: no agent on " + host + " (expected: a login by ssh without a password)");
        if (areTooFew()) {
            int left = plan.hosts().size() - unreached;
            print(err, "elastic-run: " + left + " of at least " + plan.minNodes() + " nodes are left; ending them");
            connections.drain();
        }
    }

    private synchronized boolean areTooFew() {
        return plan.hosts().size() - unreached < plan.minNodes();
    }

    private static void print(PrintStream to, String line) {
        synchronized (to) {
            to.println(line);
            to.flush();
        }
    }
}
