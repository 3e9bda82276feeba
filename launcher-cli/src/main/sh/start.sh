# SPDX-License-Identifier: Apache-2.0
# How the command starts from its jar: read by the script of the build tree and by that of an installation, under set -u.

# What a Java is refused with, and the end.
no_java() {
  echo "elastic-run: $1 (expected: Java 17 or later in JAVA_HOME or on the PATH)" >&2
  exit 2
}

# Sets java, java_home and java_version.
# $1: the directory of the Java that must be used; empty: that of JAVA_HOME, else of the PATH
find_java() {
  java_home=${1:-${JAVA_HOME:-}}
  if [ -n "$java_home" ]; then
    java=$java_home/bin/java
    command -v "$java" >/dev/null 2>&1 || no_java "$java: not found"
  else
    java=$(command -v java 2>/dev/null) || no_java "java: not found"
    java_home=$(readlink -f "$java")
    java_home=${java_home%/bin/java}
  fi
  java_version=
  # To read the file takes no process; a directory without it is asked.
  if [ -r "$java_home/release" ]; then
    while IFS='=' read -r name value; do
      [ "$name" != JAVA_VERSION ] || java_version=$value
    done <"$java_home/release"
  fi
  if [ -z "$java_version" ]; then
    java_version=$("$java" -version 2>&1 | sed -n '/ version "/{s/.* version //p;q;}')
    [ -n "$java_version" ] || no_java "$java: does not report a version"
  fi
  java_version=${java_version#\"}
  java_version=${java_version%%\"*}
  # Until 8 it was 1.8.
  feature=${java_version#1.}
  feature=${feature%%[!0-9]*}
  [ "${feature:-0}" -ge 17 ] || no_java "$java: Java $java_version"
}

# Whether it is a command about jobs of a scheduler.
schedules() {
  case ${1:-} in
    submit | list | status | logs | scale | cancel) return 0 ;;
    *) return 1 ;;
  esac
}

# Replaces the shell by the command, with the arguments of the caller.
# self: this command, for agents that it starts; jar; kubernetes: a jar that need not be there; class_data: an archive, or empty;
# verify: an option of the JVM about it, or empty
start() {
  # In a locale without an encoding, which is the default of containers, cron and systemd, a JVM can name no file beyond ASCII
  # and loses such bytes of arguments. It runs in another one; workers get the caller's.
  # The usual names need no other process, which would take a few milliseconds.
  callers_locale=
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    '' | C | POSIX) charmap= ;;
    C.UTF-8 | C.utf8) charmap=UTF-8 ;;
    *) charmap=$(locale charmap 2>/dev/null) ;;
  esac
  case $charmap in
    '' | ANSI_X3.4-1968)
      callers_locale=-Delasticrun.lc_all=${LC_ALL+=$LC_ALL}
      LC_ALL=C.UTF-8
      export LC_ALL
      ;;
  esac
  # As the first process of a container it must wait for orphans, which the JDK does by a method that is not public.
  opens=
  if [ $$ -eq 1 ]; then
    opens=--add-opens=java.base/java.lang=ALL-UNNAMED
  fi
  # The heap grows when it must; who reads the events of many nodes may need more of it.
  launcher=
  case ${1:-} in
    explain | events) heap=1g ;;
    chaos)
      # Starts agents by this script.
      heap=1g
      launcher=-Delasticrun.launcher=$self
      ;;
    *) heap=128m ;;
  esac
  if [ -f "$kubernetes" ] && schedules "$@"; then
    # The archive of class data is good for a class path that only has more behind the jar.
    set -- -cp "$jar:$kubernetes" dev.elasticrun.cli.Main "$@"
  else
    set -- -jar "$jar" "$@"
  fi
  # The archive of class data is bound to the JVM that built it; another one goes on without, and prints nothing. Mapped where
  # it was made for, it is shared and needs no patching, which would take time and memory.
  exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms16m "-Xmx$heap" -XX:-UsePerfData \
    -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -Dio.netty.allocator.type=unpooled \
    -Xshare:auto ${class_data:+"-XX:SharedArchiveFile=$class_data"} ${verify:+"$verify"} \
    -Xlog:disable '-Xlog:all=error,cds*=off:stderr' ${callers_locale:+"$callers_locale"} ${launcher:+"$launcher"} $opens "$@"
}
