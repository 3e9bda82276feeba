/* SPDX-License-Identifier: Apache-2.0 */
/** Between records and the bytes that the store keeps, and under which keys. */
@NullMarked
package dev.elasticrun.rendezvous.codec;

import org.jspecify.annotations.NullMarked;
