/* SPDX-License-Identifier: Apache-2.0 */
/** A browser without a screen, for tests of the page. */
@NullMarked
package dev.elasticrun.agent.browser;

import org.jspecify.annotations.NullMarked;
