/* SPDX-License-Identifier: Apache-2.0 */
/** What rendezvous needs of a store: bytes with revisions. Knows nothing of rendezvous. */
@NullMarked
package dev.elasticrun.rendezvous.store;

import org.jspecify.annotations.NullMarked;
