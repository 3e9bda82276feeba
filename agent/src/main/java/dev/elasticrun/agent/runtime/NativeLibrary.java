/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

/**
 * A library of the operating system that workers load.
 *
 * @param file name of its file
 * @param source where users get it
 */
public record NativeLibrary(String file, String source) {}
