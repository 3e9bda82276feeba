/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

/** In which direction the world changed. */
public enum WorldChangeEvent {
    SCALE_UP,
    SCALE_DOWN
}
