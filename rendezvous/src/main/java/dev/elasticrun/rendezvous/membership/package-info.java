/* SPDX-License-Identifier: Apache-2.0 */
/** A node's place in its run: lease, key and record, how it joins and leaves, and the commands of users. */
@NullMarked
package dev.elasticrun.rendezvous.membership;

import org.jspecify.annotations.NullMarked;
