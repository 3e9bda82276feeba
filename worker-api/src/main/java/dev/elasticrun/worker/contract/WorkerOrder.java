/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * What a process that works for one run after the other is to do next. Its agent writes each as a line of JSON to a socket of
 * the process, which answers {@link #ENDED} when the program has returned, and waits for the next one.
 *
 * @param environment of the worker, the whole of it
 * @param arguments of the program's main method
 * @param stdout file that what the program prints is appended to
 * @param stderr the same for errors
 */
public record WorkerOrder(Map<String, String> environment, List<String> arguments, String stdout, String stderr) {
    /** The answer, without the end of its line. */
    public static final String ENDED = "ended";

    public WorkerOrder {
        environment = Map.copyOf(environment);
        arguments = List.copyOf(arguments);
    }

    /** With the end of the line. */
    public byte[] line() {
        byte[] json = new JsonWriter()
                .put("environment", environment)
                .putTexts("arguments", arguments)
                .put("stdout", stdout)
                .put("stderr", stderr)
                .bytes();
        return (new String(json, StandardCharsets.UTF_8) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Throws IllegalArgumentException that names what is wrong. */
    public static WorkerOrder parse(String line) {
        JsonFields fields = JsonFields.parse(line.getBytes(StandardCharsets.UTF_8));
        return new WorkerOrder(
                fields.strings("environment"),
                fields.texts("arguments"),
                fields.string("stdout"),
                fields.string("stderr"));
    }

    /** Names of the variables only: values may be secrets. */
    @Override
    public String toString() {
        return "WorkerOrder[environment=" + environment.keySet() + ", arguments=" + arguments + ", stdout=" + stdout
                + ", stderr=" + stderr + "]";
    }
}
