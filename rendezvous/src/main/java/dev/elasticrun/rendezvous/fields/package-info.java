/* SPDX-License-Identifier: Apache-2.0 */
/** How facts are written as fields of documents and events. */
@NullMarked
package dev.elasticrun.rendezvous.fields;

import org.jspecify.annotations.NullMarked;
