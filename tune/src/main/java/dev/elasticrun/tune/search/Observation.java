/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.search;

import dev.elasticrun.tune.curve.Curve;
import java.util.Map;

/** A trial that has begun: what it tries, and what it has reported so far. */
public record Observation(Map<String, Object> parameters, Curve curve) {}
