#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# first-hour.sh WORK [ARCHIVE]: times what a newcomer does in the first hour, on machines that have Debian, a JDK, an SSH server
# and nothing else: install and first success, a thin jar of one's own that survives a kill, three machines by SSH with an etcd.
# WORK keeps the base of the machines between runs, and gets the report. ARCHIVE is what is installed, by default the one that
# `./mvnw -Pdist verify -DskipTests` built. Needs root, iproute2, util-linux and Debian's packages. The machines are namespaces
# of this one, with mounts, processes, network and host name of their own; nothing of them is left.
set -euo pipefail

here=$(cd "$(dirname "$0")/../../../.." && pwd)
work=$(mkdir -p "${1:?usage: first-hour.sh WORK [ARCHIVE]}" && cd "$1" && pwd)
archive=$(realpath "${2:-$(echo "$here"/dist/target/elastic-run-*-linux.tar.gz)}")
base=$work/base

make_base() {
  local packages=openjdk-17-jdk-headless,openssh-server,openssh-client,iproute2,procps,etcd-server,etcd-client
  echo "making the base of the machines once: Debian with $packages"
  local programs scripts=/usr/share/debootstrap
  programs=$("$here/.config/fetch-packages" "$work/debootstrap" debootstrap debootstrap)
  # Unpacked rather than installed, its scripts are beside it.
  [ -d "$scripts" ] || scripts=$(find "$work/debootstrap" -type d -path '*/usr/share/debootstrap' | head -n 1)
  rm -rf "$base"
  DEBOOTSTRAP_DIR=$scripts "$programs/debootstrap" --variant=minbase --include="$packages" bookworm "$base" >"$work/base.log"
  touch "$base/complete"
}

if [ "${FIRST_HOUR:-}" != inside ]; then
  [ -e "$base/complete" ] || make_base
  # What the rest mounts, starts and connects ends with it.
  FIRST_HOUR=inside exec unshare --mount --net --pid --fork --kill-child --mount-proc "$0" "$work" "$archive"
fi

report=$work/report.md
files=/opt/elastic-run
declare -A machine=()

# start NAME ADDRESS: a machine on the switch, with its SSH server; its own changes to the base are in memory.
start() {
  local root=$work/machines/$1
  mkdir -p "$root"
  mount -t tmpfs none "$root"
  mkdir "$root/upper" "$root/inner" "$root/all"
  mount -t overlay none -o "lowerdir=$base,upperdir=$root/upper,workdir=$root/inner" "$root/all"
  printf '127.0.0.1 localhost\n10.77.0.1 node-1\n10.77.0.2 node-2\n10.77.0.3 node-3\n10.77.0.9 etcd-1\n' >"$root/all/etc/hosts"
  mkdir -p "$root/all/root/.ssh" "$root/all/run/sshd"
  cp "$work/key" "$root/all/root/.ssh/id_ed25519"
  cp "$work/key.pub" "$root/all/root/.ssh/authorized_keys"
  printf 'StrictHostKeyChecking accept-new\nLogLevel ERROR\n' >"$root/all/root/.ssh/config"
  unshare --net --uts --pid --fork --kill-child sh -c '
    hostname "$1"; mount -t proc proc "$2/proc"; mount --rbind /dev "$2/dev"; mount -t tmpfs none "$2/dev/shm"
    exec chroot "$2" sleep infinity' sh "$1" "$root/all" &
  local outer=$! inner=
  until inner=$(pgrep -P "$outer") && [ "$(cat "/proc/$inner/comm")" = sleep ]; do sleep 0.05; done
  machine[$1]=$inner
  ip link add "to-$1" type veth peer name eth0 netns "$inner"
  ip link set "to-$1" master switch up
  on "$1" "ip link set lo up; ip address add $2/24 dev eth0; ip link set eth0 up; /usr/sbin/sshd"
}

# on NAME COMMANDS: as root, in a shell of the machine.
on() {
  nsenter --target "${machine[$1]}" --net --uts --pid chroot "$work/machines/$1/all" \
    env -i HOME=/root USER=root LANG=C.UTF-8 TERM=dumb PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin \
    sh -c "cd /root; $2"
}

# step COMMANDS: what the newcomer types on the first machine; the report gets how long it took and what it printed.
step() {
  local began ended output code=0
  began=$(date +%s%N)
  output=$(on node-1 "$1" 2>&1) || code=$?
  ended=$(date +%s%N)
  local millis=$(((ended - began) / 1000000))
  total=$((total + millis)) steps=$((steps + 1))
  printf '%2d  %7d ms  exit %d  %s\n' "$steps" "$millis" "$code" "$(echo "$1" | head -n 1 | cut -c 1-100)"
  {
    printf '\n%d. %d ms, exit code %d\n\n```\n' "$steps" "$millis" "$code"
    echo "$1" | sed 's/^/$ /'
    printf '%s\n```\n' "$output"
  } >>"$report"
  if [ "$code" != 0 ]; then
    echo "$output"
    exit 1
  fi
}

part() {
  steps=0 total=0 title=$1
  printf '\n%s\n' "$1"
  printf '\n## %s\n' "$1" >>"$report"
}

summary() {
  printf '    %7d ms in all, %d commands\n' "$total" "$steps"
  printf '| %s | %d | %d ms |\n' "$title" "$steps" "$total" >>"$work/summary.md"
}

rm -rf "$work/machines" "$work/key" "$work/key.pub"
mkdir -p "$work/machines"
: >"$report"
printf '| part | commands | time |\n|---|---|---|\n' >"$work/summary.md"
ip link add switch type bridge
ip link set switch up
chroot "$base" ssh-keygen -q -t ed25519 -N '' -f /tmp/key
mv "$base/tmp/key" "$work/key"
mv "$base/tmp/key.pub" "$work/key.pub"
start node-1 10.77.0.1
start node-2 10.77.0.2
start node-3 10.77.0.3
start etcd-1 10.77.0.9
on etcd-1 'etcd --data-dir /var/lib/etcd-run --listen-client-urls http://0.0.0.0:2379 --advertise-client-urls http://etcd-1:2379 >/var/log/etcd.log 2>&1 &'
cp "$archive" "$work/machines/node-1/all/root/"
sed -n '/^```java$/,/^```$/p' "$here/docs/howto/first-worker.md" | sed '1d;$d' >"$work/machines/node-1/all/root/Descent.java"

part 'Install, and the first success'
step "mkdir $files && tar -xzf $(basename "$archive") --strip-components=1 -C $files
ln -s $files/bin/elastic-run /usr/local/bin/elastic-run"
step 'elastic-run --version'
step "elastic-run --standalone --nproc-per-node 4 $files/samples/elastic-samples.jar train --data $files/samples/breast-cancer.csv"
summary

part 'A thin jar of one'\''s own, under soft'
step "javac -cp $files/lib/elastic-run-worker-api.jar Descent.java"
step 'jar --create --file descent.jar --main-class Descent *.class'
step 'elastic-run --standalone --nproc-per-node 2 --restart-policy soft descent.jar 50'
step 'elastic-run --standalone --nproc-per-node 2 --restart-policy soft --run-id first descent.jar 3000 >run.log 2>&1 &
until elastic-run status --run-id first 2>/dev/null | grep -q working; do sleep 0.2; done
elastic-run status --run-id first'
step "kill -9 \$(elastic-run status --run-id first --json | grep -o '\"pid\" *: *[0-9]*' | grep -o '[0-9]*\$' | tail -n 1)"
step 'until elastic-run explain 2 --run-id first 2>/dev/null; do sleep 0.2; done'
step 'elastic-run stop --run-id first --yes; cat run.log'
summary

part 'Three machines, by SSH, with an etcd'
step "for host in node-1 node-2 node-3; do echo \$host; done >hosts
for host in node-2 node-3; do
  scp -qr $files \$host:$files && scp -q descent.jar \$host: && ssh \$host ln -s $files/bin/elastic-run /usr/local/bin/elastic-run
done"
step "elastic-run ssh --hosts hosts --rdzv-endpoint etcd-1:2379 --run-id three --nnodes 2:3 --nproc-per-node 2 --restart-policy soft descent.jar 200"
step "elastic-run ssh --hosts hosts --rdzv-endpoint etcd-1:2379 --run-id lost --nnodes 2:3 --nproc-per-node 2 --restart-policy soft descent.jar 3000 >run.log 2>&1 &
until elastic-run status --run-id lost 2>/dev/null | grep -c working | grep -q 6; do sleep 0.2; done
elastic-run status --run-id lost"
step "ssh node-3 'pkill -9 java'
until elastic-run explain 2 --run-id lost 2>/dev/null; do sleep 0.2; done"
step 'elastic-run stop --run-id lost --yes; tail -n 30 run.log'
summary

printf '\n'
cat "$work/summary.md"
echo "what each command printed: $report"
