/* SPDX-License-Identifier: Apache-2.0 */
/** The contract between an agent and its workers: messages, files and variables. The only package of this module that the agent sees. */
@NullMarked
package dev.elasticrun.worker.contract;

import org.jspecify.annotations.NullMarked;
