# SPDX-License-Identifier: Apache-2.0
# image-class-data.sh BASE INSTALLATION RUNTIME TIME WORK: makes WORK/lib, with the archive of class data for the image that is put
# together of the first three and whose files all have that time. A JVM accepts only an archive of a jar at the same path, so it
# runs in such a root. Where this machine allows no root of one's own, WORK/lib is empty, and the image starts slower.
set -eu

base=$1 installation=$2 runtime=$3 time=$4 work=$5
home=/opt/elastic-run
root=$work/root
chmod -Rf u+w "$work" || true
rm -rf "$work"
mkdir -p "$work/lib"
cp -a "$base" "$root"
mkdir -p "$root/opt"
cp -a "$installation" "$root$home"
cp -a "$runtime" "$root$home/runtime"
find "$root$home" -type f -exec touch -d "$time" {} +

# With /proc, by which a Java finds its own files.
inside() {
  unshare --user --map-root-user --mount --pid --fork sh -c \
    'root=$1 && shift && mount -t proc proc "$root/proc" && exec chroot "$root" /bin/sh -c "$@"' sh "$root" "$@"
}

if ! inside true 2>"$work/refused.txt"; then
  echo "warning: the image has no archive of class data, agents take longer to start: $(cat "$work/refused.txt")" >&2
  exit 0
fi
functions='set -e
home=$1 java=$1/runtime/bin/java jar=$1/lib/elastic-run.jar java_home=$1/runtime archive=$1/lib/elastic-run.jsa
. "$home/lib/class-data.sh"
'
inside "$functions"'dump_class_data "$archive"' sh "$home" >"$work/output.txt" 2>&1 || {
  cat "$work/output.txt" >&2
  exit 1
}
touch -d "$time" "$root$home/lib/elastic-run.jsa"
inside "$functions"'class_data_facts "$archive" >"$archive.facts"' sh "$home"
cp "$root$home/lib/elastic-run.jsa" "$root$home/lib/elastic-run.jsa.facts" "$work/lib"
chmod -R u+w "$root"
rm -rf "$root"
