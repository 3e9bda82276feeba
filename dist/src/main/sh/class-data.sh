# SPDX-License-Identifier: Apache-2.0
# The archive of class data of an installation: made in the user's cache at the first start with a JVM, and used from then on. An
# image has one of its own.
# Read by the command's script, under set -u. docs/adr/0068-installations.md has the reasons.

# Whether a directory is there, is no link and belongs to this user.
is_own() {
  [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ]
}

# Sets class_data to the archive of this installation and this JVM, or to nothing; in that case one is made for later starts.
# A JVM does not survive an archive that is shorter than it was, so size and time of all files that matter are those that were
# recorded; and it compares the checksums of the rest.
find_class_data() {
  class_data=
  verify=
  case ${1:-} in
    '' | -h | --help | help | --version | version | completion) return ;;
  esac
  archive=$home/lib/elastic-run.jsa
  if is_as_recorded "$archive"; then
    use_class_data "$archive"
    return
  fi
  case ${XDG_CACHE_HOME:-} in
    /*) cache=$XDG_CACHE_HOME/elastic-run ;;
    *) cache=/var/tmp/elastic-run-$(id -u) ;;
  esac
  # In the option a colon separates two archives.
  case $cache in *:*) return ;; esac
  name=$(printf '%s\n' "$jar" "$java_home" | cksum)
  archive=$cache/launcher/${name%% *}.jsa
  if is_own "$cache" && is_own "$cache/launcher" && [ ! -L "$archive" ] && [ -O "$archive" ] &&
    is_as_recorded "$archive"; then
    use_class_data "$archive"
  else
    make_class_data
  fi
}

use_class_data() {
  class_data=$1
  verify=-XX:+VerifySharedSpaces
}

is_as_recorded() {
  [ -f "$1" ] && [ "$(cat "$1.facts" 2>/dev/null)" = "$(class_data_facts "$1")" ]
}

# What is recorded beside an archive: of what it was made, and what it is.
class_data_facts() {
  cat "$home/lib/elastic-run.sha256"
  stat -L -c '%n %s %Y' -- "$jar" "$java_home/lib/modules" "$java_home/lib/server/libjvm.so" 2>/dev/null
  stat -L -c '%s %Y' -- "$1"
}

# Has another process make it, of the lowest priority, which does not belong to the terminal and goes on after this command.
# Nothing is made where the cache cannot be used, where another process does it already, and for a day after it failed.
make_class_data() {
  command -v flock >/dev/null 2>&1 && command -v setsid >/dev/null 2>&1 || return 0
  mkdir -p "${cache%/*}" 2>/dev/null
  for directory in "$cache" "$cache/launcher"; do
    [ -d "$directory" ] || mkdir -m 700 "$directory" 2>/dev/null
    is_own "$directory" && [ -w "$directory" ] || return 0
  done
  [ -z "$(find "$archive.failed" -mtime -1 2>/dev/null)" ] || return 0
  (
    setsid nice -n 19 flock -n "$cache/launcher/lock" \
      sh "$home/lib/make-class-data.sh" "$home" "$java" "$java_home" "$archive" </dev/null >/dev/null 2>&1 &
  )
}

# Makes it, in a process that loads and links the classes and runs none of their code; it must be accepted.
dump_class_data() {
  "$java" -XX:+UseSerialGC -Xmx128m -XX:-UsePerfData -Xshare:dump "-XX:SharedClassListFile=$home/lib/elastic-run.classes" \
    "-XX:SharedArchiveFile=$1" -cp "$jar" &&
    "$java" -XX:+UseSerialGC -Xmx128m -XX:-UsePerfData -XX:+UnlockDiagnosticVMOptions -XX:+VerifySharedSpaces -Xshare:on \
      "-XX:SharedArchiveFile=$1" -jar "$jar" --version
}
