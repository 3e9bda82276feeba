/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tests of programs that elastic-run starts: real agents and worker JVMs on this host, faults, and a JUnit 5 extension.
 * {@link dev.elasticrun.testing.ElasticRunTest} is the begin, {@link dev.elasticrun.testing.ElasticRun} has the rest.
 */
@NullMarked
package dev.elasticrun.testing;

import org.jspecify.annotations.NullMarked;
