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

# Starts a cluster of its own, with real Tekton controllers, and runs the tests of test/e2e on it.
# Usage: hack/e2e.sh [flag of go test]...
# What is wrong with the flags go test says, and only once the cluster runs.
# IMAGES has more images for its pods, IMAGE=PATH in a line each.

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
[[ ${1:--} == -* ]] || refuse "flags of go test, which begin with -, not \"$1\""
CACHE=$(realpath -m "${CACHE:-.cache}") # the tests find Tekton's manifests there
export CACHE
dir=$(mktemp -d)
cluster=''

finish() {
  local status=$?
  exec 3>&- # the cluster ends when its standard input does
  if [[ -n $cluster ]] && ! timeout 60 tail --pid="$cluster" -f /dev/null; then
    kill -KILL "$cluster"
  fi
  if ((status)) && [[ -n $cluster ]]; then
    echo "the cluster's logs are in $dir" >&2
  else
    rm -rf "$dir"
  fi
}
trap finish EXIT
trap 'exit 130' INT TERM

start() {
  mkfifo "$dir/in" "$dir/out"
  local images=()
  mapfile -t images < <(sed -n 's/..*/--image\n&/p' <<<"${IMAGES:-}")
  hack/cluster.sh up --dir "$dir" --until-stdin-closes "${images[@]}" <"$dir/in" >"$dir/out" 2>"$dir/up.log" &
  cluster=$!
  exec 3>"$dir/in" 4<"$dir/out"
  local line
  while read -r -t 300 -u 4 line; do
    [[ $line == 'READY kubeconfig='* ]] || continue
    export KUBECONFIG=${line#*=}
    return
  done
  tail -n 30 "$dir/up.log" >&2
  return 1
}

has_tests() { # go test is content with a package that has none
  go test -tags e2e -list . ./test/e2e/... | grep -c '^Test' >/dev/null || { echo 'test/e2e: no tests' >&2 && return 1; }
}

PROMETHEUS=$(hack/prometheus.sh)/prometheus # a test runs the dashboard's queries in it
export PROMETHEUS
hack/cluster.sh build
has_tests
start
# Those that may run side by side mostly wait.
go test -tags e2e -count=1 -timeout 50m -parallel 4 -v "$@" ./test/e2e/... 3>&- 4<&-
