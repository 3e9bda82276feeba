/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Arrays;

/** Which callers are processes of this machine. May look a name up. */
final class OwnMachine {
    private OwnMachine() {}

    /**
     * Whether a caller is.
     *
     * @param caller as it was seen
     * @param called at which it arrived
     * @param ownAddress by which all reach this node; behind NAT not one of this machine's, but its own calls come from there
     */
    static boolean isAt(InetAddress caller, InetAddress called, String ownAddress) throws IOException {
        return caller.isLoopbackAddress()
                || caller.equals(called)
                || NetworkInterface.getByInetAddress(caller) != null
                || Arrays.asList(InetAddress.getAllByName(ownAddress)).contains(caller);
    }
}
