#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Debian packages nacre is built and tested with, by name, and
# only those that are missing. Needs nothing but a shell and apt: everything
# else, python included, may arrive through it.
#
# usage: .ci/setup.sh [--bench] [--list]
#   --bench  also oneDNN, which `make bench` races, and what photographs and
#            voices come from that bench_accuracy.py judges by
#   --list   print the package names and stop
set -eu

# What builds the compiler.
packages="
  cmake ninja-build ccache
  clang-22 lld-22 clang-format-22 clang-tidy-22
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  libonnx-dev libprotobuf-dev protobuf-compiler
  libjpeg62-turbo-dev libpng-dev
  libgtest-dev"
# The headers with which clang compiles the runtime of compiled models for the
# machines that this one is not.
packages="$packages libc6-dev-armhf-cross libc6-dev-riscv64-cross"
case $(uname -m) in
aarch64) packages="$packages libc6-dev-amd64-cross" ;;
*) packages="$packages libc6-dev-arm64-cross" ;;
esac
# What the tests, the demo and the digit classifier's training use.
packages="$packages
  gcc-arm-linux-gnueabihf gcc-arm-none-eabi gcc-riscv64-linux-gnu
  libclang-rt-22-dev
  libnewlib-arm-none-eabi libonnx-testdata qemu-system-arm qemu-user
  python3 python3-numpy python3-onnx python3-pip python3-pytest
  python3-pytest-xdist python3-setuptools python3-sklearn python3-venv
  python3-wheel"

list=no
for argument in "$@"; do
  case $argument in
  --bench)
    packages="$packages libdnnl-dev espeak-ng python-matplotlib-data python3-pil"
    ;;
  --list) list=yes ;;
  *)
    echo "setup: unknown argument '$argument'" >&2
    exit 2
    ;;
  esac
done

if [ $list = yes ]; then
  # Unquoted on purpose: one name per line.
  printf '%s\n' $packages
  exit 0
fi

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: error: %s\n' "$*" >&2
  exit 1
}

if ! command -v dpkg-query >/dev/null 2>&1; then
  fail "this script installs Debian packages and found no dpkg here; install by hand what '.ci/setup.sh --list' names"
fi

missing_packages() {
  for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

missing=$(missing_packages)
if [ -z "$missing" ]; then
  say "all packages are present"
  exit 0
fi
say "missing packages: $missing"

as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 ||
    fail "installing packages needs root, and sudo is not here; as root, run: apt-get install $missing"
  as_root=sudo
fi

install() {
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get --yes --no-install-recommends "$@" install $missing
}

# The package lists of a fresh machine are empty or old: refresh them once,
# and only when they cannot serve what is missing. --simulate sees lists
# without the packages, --download-only lists with versions since replaced.
say "installing $(printf '%s\n' $missing | wc -l) packages"
if ! apt-get --simulate --no-install-recommends install $missing >/dev/null 2>&1 ||
  ! install --download-only; then
  say "refreshing the package lists"
  $as_root apt-get update ||
    fail "apt-get update failed; see its messages above"
fi
install || fail "apt-get install failed; see its messages above (nacre needs Debian 12 with bookworm and bookworm-security, component main, in its sources)"

missing=$(missing_packages)
[ -z "$missing" ] || fail "still missing after installation: $missing"
say "done"
