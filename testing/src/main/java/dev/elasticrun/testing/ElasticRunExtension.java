/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test that has a parameter of type {@link ElasticRun} a run of its own, also those of {@code @BeforeEach} and
 * {@code @AfterEach}, which receive the same one. Tests may run at the same time.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final ElasticRunExtension RUNS = ElasticRunExtension.ofNodes(3).workersPerNode(1).policy("soft");
 * }</pre>
 *
 * <p>After the test all processes of the run are killed. The test fails if one is left after that, or if a scripted death
 * has not happened. The directory of the run is deleted after a test that passed and kept after one that failed; the
 * failure names it, in its own message or in a suppressed {@link RunStateException}. Immutable.
 */
public final class ElasticRunExtension implements ParameterResolver, AfterEachCallback {
    private final RunOptions options;

    /** For {@code @ExtendWith}: with the defaults of {@link ElasticRunTest}. */
    public ElasticRunExtension() {
        this(RunOptions.DEFAULTS);
    }

    private ElasticRunExtension(RunOptions options) {
        this.options = options;
    }

    /**
     * Runs of two workers on each node, under {@code soft-elastic}.
     *
     * @param nodes agents that are started first, and the most that work together; at least 1
     */
    public static ElasticRunExtension ofNodes(int nodes) {
        return new ElasticRunExtension(RunOptions.DEFAULTS.withNodes(nodes));
    }

    /** @param value at least 1 */
    public ElasticRunExtension workersPerNode(int value) {
        return new ElasticRunExtension(options.withWorkersPerNode(value));
    }

    /** As {@code --restart-policy} takes it. */
    public ElasticRunExtension policy(String value) {
        return new ElasticRunExtension(options.withPolicy(value));
    }

    /** More flags of {@code elastic-run} for each agent, each word by itself. They win over what is set here. */
    public ElasticRunExtension flags(String... more) {
        return new ElasticRunExtension(options.withFlags(List.of(more)));
    }

    /** A variable of agents and workers, beside those of the tests. */
    public ElasticRunExtension environment(String name, String value) {
        return new ElasticRunExtension(options.withVariable(name, value));
    }

    /** How long waits last that are given no limit of their own; 60 s by default. */
    public ElasticRunExtension patience(Duration value) {
        return new ElasticRunExtension(options.withPatience(value));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TestRuns.isRun(parameter, context)
                && TestRuns.annotation(context).isEmpty();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return TestRuns.of(context, options);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestRuns.end(context);
    }
}
