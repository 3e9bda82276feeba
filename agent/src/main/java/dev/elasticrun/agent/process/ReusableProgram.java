/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.List;

/**
 * A program of the JVM whose main method can be called for one run after the other.
 *
 * @param java the JVM
 * @param options of the JVM, its class path among them
 * @param mainClass of the program
 * @param arguments of its main method, which may differ each time
 * @param slot of the worker: a process keeps its slot
 * @param choosesTemporary whether the user chose the directory for temporary files
 */
public record ReusableProgram(
        String java,
        List<String> options,
        String mainClass,
        List<String> arguments,
        int slot,
        boolean choosesTemporary) {
    public ReusableProgram {
        options = List.copyOf(options);
        arguments = List.copyOf(arguments);
    }
}
