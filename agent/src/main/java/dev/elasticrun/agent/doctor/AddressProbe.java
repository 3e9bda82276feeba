/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.doctor.NetworkVerdict.AddressPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;

/** Asks the operating system what an address is. */
final class AddressProbe {
    private AddressProbe() {}

    static AddressPlace ask(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (address.isLoopbackAddress()) {
                return AddressPlace.LOOPBACK;
            }
            return NetworkInterface.getByInetAddress(address) == null
                    ? AddressPlace.ELSEWHERE
                    : AddressPlace.OF_THIS_MACHINE;
        } catch (UnknownHostException e) {
            return AddressPlace.UNKNOWN;
        } catch (IOException e) {
            return AddressPlace.ELSEWHERE;
        }
    }
}
