/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/** In which direction the number of workers changed from one round to the next. */
public enum WorldChange {
    NONE,
    SCALE_UP,
    SCALE_DOWN
}
