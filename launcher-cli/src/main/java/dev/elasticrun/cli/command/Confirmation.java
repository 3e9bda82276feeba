/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.log.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;

/** Asks the user to confirm a command that stops something. */
final class Confirmation {
    private Confirmation() {}

    /** Whether there is a terminal to ask the user on. */
    static boolean onTerminal() {
        return Terminal.is(Terminal.INPUT);
    }

    /** Anything but yes is no. */
    static boolean ask(String question, InputStream in, PrintStream out) {
        out.print(question + " [y/N] ");
        out.flush();
        try {
            String answer = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset())).readLine();
            String word = answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT);
            return word.equals("y") || word.equals("yes");
        } catch (IOException e) {
            return false;
        }
    }
}
