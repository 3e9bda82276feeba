/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs on Kubernetes: manifests of a run, and what commands ask of the API server. What is rendered depends on nothing but the
 * job and its {@link dev.elasticrun.scheduler.kubernetes.RunIdentity}; only {@code Cluster} and {@code PodLogs} call a server.
 */
@NullMarked
package dev.elasticrun.scheduler.kubernetes;

import org.jspecify.annotations.NullMarked;
