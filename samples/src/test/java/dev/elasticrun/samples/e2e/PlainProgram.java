/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

/** Does its work without a round, as a program that was written for no launcher. */
final class PlainProgram {
    static final String DONE = "done without a round";

    private PlainProgram() {}

    public static void main(String[] args) {
        System.out.println(DONE);
    }
}
