/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Where one end of TLS connections has its certificate, the key of that, and the certificates of authorities whose word
 * it takes, all in PEM.
 *
 * @param certificate followed by those that lead to an authority, if there are any
 * @param key PKCS#8, not encrypted
 * @param authorities one or more
 */
public record TlsFiles(Path certificate, Path key, Path authorities) {

    /** The agent's, for its workers and for commands on its host. */
    public static TlsFiles in(Path directory) {
        return new TlsFiles(directory.resolve("cert.pem"), directory.resolve("key.pem"), directory.resolve("ca.pem"));
    }

    /** @throws IOException naming the file, and what it should hold */
    public TlsMaterial read() throws IOException {
        List<Pem> chain = entries(certificate, Pem.CERTIFICATE);
        List<Pem> keys = entries(key, Pem.PRIVATE_KEY);
        return TlsMaterial.of(
                named(certificate, () -> Pem.certificates(chain)), keys.get(0), key, certificates(authorities));
    }

    /**
     * The certificates in a file, at least one.
     *
     * @throws IOException naming the file, and what it should hold
     */
    public static List<X509Certificate> certificates(Path file) throws IOException {
        List<Pem> found = entries(file, Pem.CERTIFICATE);
        return named(file, () -> Pem.certificates(found));
    }

    /** @throws IOException naming the file, and what it should hold */
    private static List<Pem> entries(Path file, String kind) throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + e + ")", e);
        }
        List<Pem> all = Pem.parse(text);
        List<Pem> wanted = all.stream().filter(pem -> pem.kind().equals(kind)).toList();
        if (wanted.isEmpty()) {
            String found = all.isEmpty()
                    ? "no PEM"
                    : String.join(", ", all.stream().map(Pem::kind).distinct().toList());
            throw new IOException(file + ": " + found + " (expected: PEM of a " + kind
                    + (kind.equals(Pem.PRIVATE_KEY) ? ", as 'openssl pkcs8 -topk8 -nocrypt' writes it)" : ")"));
        }
        return wanted;
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T named(Path file, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
