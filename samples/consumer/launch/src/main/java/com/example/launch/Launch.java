/* SPDX-License-Identifier: Apache-2.0 */
package com.example.launch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.launch.LaunchConfig;
import io.netty.util.Version;
import java.nio.file.Path;
import java.util.List;

/** Arguments: the jar of the program, that of the policy, a directory for logs, and what the program takes. */
public final class Launch {
    private Launch() {}

    public static void main(String[] args) throws Exception {
        LaunchConfig config = LaunchConfig.builder(args[0])
                .policyPath(args[1])
                .restartPolicy("elastic-with-reason")
                .logDir(Path.of(args[2]))
                .arguments(List.of(args).subList(3, args.length))
                .standalone(true)
                .nprocPerNode(2)
                .console(true)
                .build();
        LaunchResult result = ElasticLauncher.launch(config);
        System.out.println("launched "
                + new ObjectMapper()
                        .writeValueAsString(ImmutableMap.of(
                                "exitCode",
                                result.exitCode(),
                                "answers",
                                result.answers().stream()
                                        .map(LaunchResult.Answer::cause)
                                        .toList(),
                                "netty",
                                Version.identify().get("netty-common").artifactVersion())));
    }
}
