/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package dev.elasticrun.worker.collective;

import org.jspecify.annotations.NullMarked;
