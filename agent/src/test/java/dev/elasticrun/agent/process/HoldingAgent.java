/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.agent.directory.RunDirectory;
import java.nio.file.Path;
import java.util.List;

/** A JVM that has a run directory until its input ends. */
public final class HoldingAgent {
    private HoldingAgent() {}

    public static void main(String[] args) throws Exception {
        try (RunDirectory run = RunDirectory.create(List.of(Path.of(args[0])), 0, args[1], args[2])) {
            System.out.println(run.path());
            System.in.readAllBytes();
        }
    }
}
