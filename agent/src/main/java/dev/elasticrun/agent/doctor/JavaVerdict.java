/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

/** Whether agent and workers have a Java that runs them. Pure. */
final class JavaVerdict {
    private static final int LEAST = 17;
    private static final String AGENT = "java of the agent";
    private static final String WORKERS = "java of workers";

    private JavaVerdict() {}

    /** @param home where it is */
    static Check ofAgent(Runtime.Version version, String home) {
        return Check.ok(AGENT, version + " in " + home);
    }

    static Check ofWorkers(JavaProbe.Answer answer) {
        if (!answer.trouble().isEmpty()) {
            return Check.error(
                    WORKERS,
                    answer.java() + ": " + answer.trouble(),
                    "give --java a Java of version " + LEAST + " or later");
        }
        String found = answer.version() + " of " + answer.java();
        return feature(answer.version()) < LEAST
                ? Check.error(
                        WORKERS, found, "give --java one of version " + LEAST + " or later, which the worker API needs")
                : Check.ok(WORKERS, found);
    }

    // The first number; of 1.8 and before, the second one. 0 = it is no version.
    private static int feature(String version) {
        String[] numbers = version.split("[^0-9]+", 3);
        boolean isOld = numbers.length > 1 && numbers[0].equals("1");
        String feature = isOld ? numbers[1] : numbers[0];
        return feature.isEmpty() || feature.length() > 4 ? 0 : Integer.parseInt(feature);
    }
}
