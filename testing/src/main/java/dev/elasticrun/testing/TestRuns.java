/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** The run of each test, in the store that JUnit keeps for it. */
final class TestRuns {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(TestRuns.class);

    private TestRuns() {}

    static Optional<ElasticRunTest> annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getTestMethod(), ElasticRunTest.class);
    }

    /** Whether that parameter is a run, and there is a test for it. */
    static boolean isRun(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ElasticRun.class
                && context.getTestMethod().isPresent();
    }

    /** The run of that test; the first call makes it. */
    static ElasticRun of(ExtensionContext context, RunOptions options) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(ElasticRun.class, type -> new ElasticRun(options), ElasticRun.class);
    }

    /** Ends the run of that test, if it has one. */
    static void end(ExtensionContext context) {
        ElasticRun run = context.getStore(NAMESPACE).remove(ElasticRun.class, ElasticRun.class);
        if (run != null) {
            run.end(context.getExecutionException().filter(failure -> !(failure instanceof TestAbortedException)));
        }
    }
}
