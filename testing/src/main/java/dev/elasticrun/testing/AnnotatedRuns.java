/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Runs of {@link ElasticRunTest}. A class of its own: JUnit registers an extension by annotation only if there is none of its
 * class.
 */
final class AnnotatedRuns implements ParameterResolver, AfterEachCallback {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TestRuns.isRun(parameter, context);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return TestRuns.of(
                context, TestRuns.annotation(context).map(RunOptions::of).orElse(RunOptions.DEFAULTS));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestRuns.end(context);
    }
}
