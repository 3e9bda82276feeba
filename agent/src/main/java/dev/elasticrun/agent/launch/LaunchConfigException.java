/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.util.List;

/** A configuration cannot work; nothing was started. The message has one line per violation, each with its value. */
public final class LaunchConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public LaunchConfigException(List<String> violations) {
        super(String.join(System.lineSeparator(), violations));
    }
}
