/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.testing.Patience;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The control plane of a cluster on this machine: an etcd, the API server, and the controllers of what elastic-run submits.
 * There is no scheduler and no kubelet: pods stay pending unless somebody runs them. All files are below a directory of the
 * test, and nothing runs after {@link #close}.
 */
public final class ControlPlane implements AutoCloseable {
    private static final String SCRIPT = ".config/build-kubernetes";
    /** A thing of these is either rendered by elastic-run, or ends with it, or holds the agents of a pool. */
    private static final String CONTROLLERS =
            "job,deployment,replicaset,statefulset,endpoint,endpointslice,garbagecollector,namespace,disruption,resourcequota";

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int KEY_BITS = 2048;
    private static final int TOKEN_BYTES = 16;
    private static final int LINE = 64;

    private final Path programs;
    private final Path directory;
    private final EtcdProcess etcd;
    private final int port = FreePort.find();
    private final String token = randomToken();
    private final List<Process> daemons = new ArrayList<>();

    private ControlPlane(Path programs, Path directory, EtcdProcess etcd) {
        this.programs = programs;
        this.directory = directory;
        this.etcd = etcd;
    }

    /**
     * Starts one, and waits until it takes jobs. Builds the programs if they are not there, which takes ten minutes or more.
     *
     * @param parent a directory for its files
     */
    public static ControlPlane start(Path parent) {
        ControlPlane plane = null;
        boolean isUp = false;
        try {
            Path programs = FetchedPrograms.madeBy(SCRIPT, "kubernetes");
            Path directory = Files.createTempDirectory(parent, "kubernetes-");
            plane = new ControlPlane(programs, directory, EtcdProcess.start(directory.resolve("etcd")));
            plane.startDaemons();
            isUp = true;
            return plane;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (plane != null && !isUp) {
                plane.close();
            }
        }
    }

    private void startDaemons() throws IOException {
        Path tokens = secret("tokens.csv", token + ",tester,1,\"system:masters\"\n");
        Path key = secret("sa.key", serviceAccountKey());
        daemon(
                "kube-apiserver",
                "--etcd-servers=http://" + etcd.endpoint(),
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + certificate().getParent(),
                "--service-cluster-ip-range=10.96.0.0/16",
                "--service-account-issuer=https://kubernetes.default",
                "--service-account-signing-key-file=" + key,
                "--service-account-key-file=" + key,
                "--token-auth-file=" + tokens,
                "--authorization-mode=AlwaysAllow",
                "--kubelet-preferred-address-types=InternalIP",
                // Its controller does not run, and pods of elastic-run get no token.
                "--disable-admission-plugins=ServiceAccount");
        Patience.until("certificate of the API server", LIMIT, () -> Files.exists(certificate()), this::logs);
        try (KubernetesClient client = client("default")) {
            Patience.until("namespace of the API server", LIMIT, () -> hasNamespace(client), this::logs);
        }
        daemon(
                "kube-controller-manager",
                "--kubeconfig=" + kubeconfig("default"),
                "--leader-elect=false",
                "--port=0",
                "--secure-port=0",
                "--controllers=" + CONTROLLERS);
    }

    /** How commands find the cluster, with a namespace to work in. */
    public Path kubeconfig(String namespace) {
        try {
            return secret("kubeconfig-" + namespace, """
                    apiVersion: v1
                    kind: Config
                    current-context: test
                    contexts: [{name: test, context: {cluster: test, user: test, namespace: %s}}]
                    clusters: [{name: test, cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}}]
                    users: [{name: test, user: {token: %s}}]
                    """.formatted(namespace, port, certificate(), token));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new client, which may do everything. */
    public KubernetesClient client(String namespace) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig(namespace).toFile()))
                .build();
    }

    private Path certificate() {
        return directory.resolve("certificates/apiserver.crt");
    }

    /** What the programs wrote. */
    private String logs() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .map(file -> "---- " + file.getFileName() + "\n" + read(file))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        List<Process> lastFirst = new ArrayList<>(daemons);
        Collections.reverse(lastFirst);
        lastFirst.forEach(ControlPlane::end);
        etcd.close();
    }

    private void daemon(String program, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(programs.resolve(program).toString()));
        command.addAll(List.of(options));
        daemons.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(program + ".log").toFile())
                .start());
    }

    private static boolean hasNamespace(KubernetesClient client) {
        try {
            return client.namespaces().withName("default").get() != null;
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    private static String randomToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private Path secret(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String serviceAccountKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
            byte[] newline = "\n".getBytes(StandardCharsets.US_ASCII);
            return "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder(LINE, newline).encodeToString(key)
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void end(Process daemon) {
        daemon.destroy();
        try {
            if (!daemon.waitFor(10, TimeUnit.SECONDS)) {
                daemon.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            daemon.destroyForcibly();
        }
    }
}
