/* SPDX-License-Identifier: Apache-2.0 */
/** What kills the workers of tests from within, where only the collective's own package can listen. */
@NullMarked
package dev.elasticrun.worker.collective;

import org.jspecify.annotations.NullMarked;
