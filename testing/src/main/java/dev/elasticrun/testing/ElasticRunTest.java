/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of a program on real agents and worker JVMs: a {@link Test} that takes an {@link ElasticRun}. Nothing runs before
 * the test calls {@code start}, and nothing does after it. For parameterised and repeated tests register {@link
 * ElasticRunExtension} instead.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
@ExtendWith(AnnotatedRuns.class)
public @interface ElasticRunTest {
    int NODES = 2;
    int WORKERS_PER_NODE = 2;
    String POLICY = "soft-elastic";
    int PATIENCE_SECONDS = 60;

    /** Agents that are started first, and the most that work together; at least 1. */
    int nodes() default NODES;

    /** At least 1. */
    int workersPerNode() default WORKERS_PER_NODE;

    /** As {@code --restart-policy} takes it: {@code hard}, {@code soft}, {@code soft-replace} or {@code soft-elastic}. */
    String policy() default POLICY;

    /** More flags of {@code elastic-run} for each agent, each word by itself. They win over what is set here. */
    String[] flags() default {};

    /** How long waits last that are given no limit of their own, in seconds; at least 1. */
    int patienceSeconds() default PATIENCE_SECONDS;
}
