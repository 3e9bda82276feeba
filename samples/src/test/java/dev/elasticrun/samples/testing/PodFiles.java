/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The volumes of pods, as directories {@code NAMESPACE/VOLUME/POD}, and how a container comes to see them. A volume at {@code /tmp} is
 * not mounted, since the project and the test may be below it: it is named by {@code TMPDIR}.
 */
final class PodFiles {
    private static final String TMP = "/tmp";
    private static final String MEMORY = "Memory";

    /**
     * Makes what is mounted, in a mount namespace of its own, from words PATH and SOURCE up to {@code --}. The machine may lack
     * the path: then its directory is covered by one with links to all that is in it, and the path.
     */
    private static final String MOUNT = """
            set -e
            mount --make-rprivate /
            while [ "$1" != -- ]; do
                path=$1 source=$2
                shift 2
                if [ ! -d "$path" ]; then
                    above=$(dirname "$path")
                    hold=$(mktemp -d -p "$HOLD")
                    mount --rbind "$above" "$hold"
                    mount -t tmpfs -o mode=0755 above "$above"
                    for entry in "$hold"/*; do
                        ln -s "$entry" "$above/"
                    done
                    mkdir "$path"
                fi
                case $source in
                memory:*) mount -t tmpfs -o "size=${source#memory:},mode=1777" memory "$path" ;;
                *) mount --bind "$source" "$path" ;;
                esac
            done
            shift
            [ "$READ_ONLY" != true ] || mount -o remount,bind,ro /
            unset HOLD READ_ONLY
            exec "$@"
            """;

    private final Path directory;
    private final BiFunction<String, String, Map<String, String>> secrets;

    /** @param secrets data of a secret by its namespace and name, in base64 */
    PodFiles(Path directory, BiFunction<String, String, Map<String, String>> secrets) {
        this.directory = directory;
        this.secrets = secrets;
    }

    /** Where the volumes of this name are, of all pods of a namespace. */
    Path volumes(String namespace, String name) {
        return directory.resolve(namespace).resolve(name);
    }

    /** Removes the volumes of a pod that are on a disk. */
    void remove(Pod pod) {
        for (Volume volume : pod.getSpec().getVolumes()) {
            Path made = place(pod, volume.getName());
            if (Files.exists(made)) {
                Project.delete(made);
            }
        }
    }

    private Path place(Pod pod, String volume) {
        return volumes(pod.getMetadata().getNamespace(), volume)
                .resolve(pod.getMetadata().getName());
    }

    private Path made(Pod pod, String volume) throws IOException {
        return Files.createDirectories(place(pod, volume));
    }

    /** A command that makes the volumes of a container, and becomes the given one. */
    List<String> enter(Pod pod, Container container, Map<String, String> environment, List<String> command)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", MOUNT, "mount"));
        Path temporary = made(pod, "tmp");
        words.addAll(List.of(temporary.toString(), temporary.toString()));
        for (VolumeMount mount : container.getVolumeMounts()) {
            if (!mount.getMountPath().equals(TMP)) {
                words.addAll(List.of(mount.getMountPath(), source(pod, volume(pod, mount.getName()))));
            }
        }
        words.add("--");
        words.addAll(command);
        environment.put("TMPDIR", temporary.toString());
        environment.put("HOLD", made(pod, "held").toString());
        environment.put(
                "READ_ONLY",
                Boolean.toString(container.getSecurityContext() != null
                        && Boolean.TRUE.equals(container.getSecurityContext().getReadOnlyRootFilesystem())));
        return words;
    }

    private static Volume volume(Pod pod, String name) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String source(Pod pod, Volume volume) throws IOException {
        EmptyDirVolumeSource empty = volume.getEmptyDir();
        if (empty != null && MEMORY.equals(empty.getMedium())) {
            return "memory:" + Quantity.getAmountInBytes(empty.getSizeLimit()).toBigInteger();
        }
        Path source = made(pod, volume.getName());
        if (volume.getSecret() != null) {
            fill(source, pod.getMetadata().getNamespace(), volume.getSecret());
        } else if (empty == null) {
            throw new IllegalArgumentException("volume " + volume.getName() + " (expected: emptyDir or secret)");
        }
        return source.toString();
    }

    private void fill(Path source, String namespace, SecretVolumeSource secret) throws IOException {
        for (Map.Entry<String, String> entry :
                secrets.apply(namespace, secret.getSecretName()).entrySet()) {
            Path file = Files.write(
                    source.resolve(entry.getKey()), Base64.getDecoder().decode(entry.getValue()));
            Files.setPosixFilePermissions(file, permissions(secret.getDefaultMode()));
        }
    }

    /** The nine bits from the right are those of the enumeration, from its end. */
    private static Set<PosixFilePermission> permissions(int mode) {
        List<PosixFilePermission> all = Arrays.asList(PosixFilePermission.values());
        Set<PosixFilePermission> given = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < all.size(); bit++) {
            if ((mode >> bit & 1) == 1) {
                given.add(all.get(all.size() - 1 - bit));
            }
        }
        return given;
    }
}
