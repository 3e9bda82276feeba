/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.RuntimeRound;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Authenticates two trackers of a round to each other: HMAC-SHA256 under the round's secret over both nodes, the port
 * that was called, the worker's task id, both nonces, and the message. So a proof is valid for that call only, and an
 * answer for that request only.
 *
 * <pre>
 * node: identity, nonce     rank 0's node: nonce     node: start, proof     rank 0's node: answers, each with a proof
 * </pre>
 *
 * @param round of both
 * @param node that calls for one of its workers
 * @param port of the called tracker
 * @param taskId of the worker
 * @param asking nonce of the calling tracker
 * @param asked nonce of the called tracker
 */
record TrackerProof(RuntimeRound round, String node, int port, String taskId, String asking, String asked) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int NONCE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    static String nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return HexFormat.of().formatHex(nonce);
    }

    /** That the asking node has a worker which listens there. */
    String ofStart(int workerPort) {
        return mac("start", Integer.toString(workerPort));
    }

    /** That rank 0's node answers so. */
    String ofAnswer(int number, String text) {
        return mac("answer " + number, text);
    }

    static boolean equal(String proof, String expected) {
        return MessageDigest.isEqual(proof.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    private String mac(String what, String answer) {
        String first = round.nodes().get(0).nodeId();
        Mac mac = keyed(round.secret());
        for (String part : List.of(what, node, first, Integer.toString(port), taskId, asking, asked, answer)) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            mac.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            mac.update(bytes);
        }
        return HexFormat.of().formatHex(mac.doFinal());
    }

    private static Mac keyed(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
        }
    }
}
