# SPDX-License-Identifier: Apache-2.0
# base-root.sh ROOT RUNTIME: makes the root directory of an image: the programs that the command and its agents call, the shared
# libraries that these and the Java runtime load, users, and directories for files. All of it is copied from this machine.
set -eu

root=$1 runtime=$2
programs='cat cksum cut dash dirname env flock grep id kill ls mkdir mv nice printf readlink renice rm rmdir sed setsid sh sleep stat
  tail tr uname'
# Programs of users load what the runtime does not: the C++ library, and OpenMP, which XGBoost needs.
libraries='libstdc++.so.6 libgcc_s.so.1 libgomp.so.1'

rm -rf "$root"
mkdir -p "$root/bin" "$root/usr" "$root/etc" "$root/lib" "$root/tmp" "$root/var/tmp" "$root/dev" "$root/proc" "$root/sys"

# With the directory in which the loader looks for it.
library() {
  mkdir -p "$root${1%/*}"
  cp -L "$1" "$root$1"
}

loaded() {
  for file; do
    ldd "$file" 2>/dev/null | sed -n 's|^[^/]*\(/[^ ]*\) (0x.*|\1|p'
  done | sort -u
}

for program in $programs; do
  path=$(command -v "$program") || continue
  case $path in
    /*) cp -L "$path" "$root/bin/$program" ;;
    # Of the shell itself; the file is for those who call it without one.
    *) [ ! -x "/bin/$program" ] || cp -L "/bin/$program" "$root/bin/$program" ;;
  esac
done
# There is no display, sound or reader of cards.
for path in $(loaded "$root"/bin/* "$runtime"/bin/java "$runtime"/lib/server/*.so $(find "$runtime"/lib -maxdepth 1 -name '*.so' \
  ! -name 'libawt_xawt*' ! -name 'libsplashscreen*' ! -name 'libjawt*' ! -name 'libjsound*' ! -name 'libj2pcsc*' \
  ! -name 'libatk*') | grep -v "^$runtime/"); do
  library "$path"
done
for name in $libraries; do
  path=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p | sed -n "s|^[[:space:]]*$name (.*64.*) => ||p" | head -n 1)
  [ -z "$path" ] || library "$path"
done
# The locale in which the JVM runs where the caller has none.
mkdir -p "$root/usr/lib/locale"
for locale in /usr/lib/locale/C.utf8 /usr/lib/locale/C.UTF-8; do
  [ ! -d "$locale" ] || cp -RL "$locale" "$root/usr/lib/locale/"
done
printf 'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
