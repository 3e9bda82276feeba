# SPDX-License-Identifier: Apache-2.0
# make-class-data.sh HOME JAVA JAVA-HOME ARCHIVE: archives the classes that the command loads. Runs none of their code.
set -eu
umask 077

home=$1 java=$2 java_home=$3 archive=$4
jar=$home/lib/elastic-run.jar
. "$home/lib/class-data.sh"

# If memory is short it is given up first.
echo 1000 >/proc/self/oom_score_adj || true
# Of those that are there, the three that were made last stay.
ls -t -- "${archive%/*}"/*.jsa 2>/dev/null | tail -n +4 | while read -r old; do
  rm -f -- "$old" "$old.facts"
done
new=$archive.new
trap 'rm -f -- "$new"; [ -f "$archive" ] || : >"$archive.failed"' EXIT
rm -f -- "$new" "$archive" "$archive.facts" "$archive.failed"
dump_class_data "$new"
class_data_facts "$new" >"$archive.facts"
mv -- "$new" "$archive"
