/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

/** Text that came from the network, made safe for a log: one line, without control characters, and short. */
final class ForeignText {
    private static final int MAX = 500;

    private ForeignText() {}

    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        String stripped = text.strip();
        int end = Math.min(stripped.length(), MAX);
        for (int i = 0; i < end; i++) {
            char each = stripped.charAt(i);
            if (Character.isISOControl(each) || Character.getType(each) == Character.FORMAT) {
                shown.append(String.format("\\u%04x", (int) each));
            } else {
                shown.append(each);
            }
        }
        return end < stripped.length() ? shown + "..." : shown.toString();
    }
}
