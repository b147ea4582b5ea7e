#!/usr/bin/env bash

# Copyright 2026 The Tekton Authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Prints the directory that has prometheus and promtool in it: that of the PATH, or one in ${CACHE:-.cache} with what Debian's
# package has, which is fetched without installing it, so that no server is started.
# Usage: hack/prometheus.sh

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
(($# == 0)) || refuse "no arguments, not \"$1\""

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dir=$(realpath --canonicalize-missing "${CACHE:-$root/.cache}")/prometheus

if path=$(command -v promtool) && command -v prometheus >/dev/null; then
  dirname "$path"
  exit
fi
if [[ ! -x $dir/usr/bin/promtool || ! -x $dir/usr/bin/prometheus ]]; then
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo 'prometheus and promtool are missing: install them into the PATH (https://prometheus.io/download; Debian: prometheus)' >&2
    exit 1
  fi
  rm -rf "$dir"
  mkdir -p "$dir"
  cd "$dir"
  apt-get -qq download prometheus 2>/dev/null || { apt-get -qq update && apt-get -qq download prometheus; } >&2
  dpkg-deb --extract prometheus_*.deb .
  rm prometheus_*.deb
fi
echo "$dir/usr/bin"
