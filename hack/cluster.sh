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

# Builds and runs a Kubernetes of local processes, see test/cluster/README.md.
#
#   cluster.sh build                        builds it, Tekton's controller and ours into ${CACHE:-.cache}/bin
#   cluster.sh up --dir DIR [ARGUMENT...]   builds, and runs a cluster until it is stopped

set -o errexit -o nounset -o pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=$(realpath --canonicalize-missing "${CACHE:-$root/.cache}")
tekton=github.com/tektoncd/pipeline/cmd/controller
ours=github.com/tektoncd/leases-controller/cmd/leases-controller
export GOWORK=off CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false'

compile() { # <name> <directory> <package> [flag...]
  local begun=$SECONDS next=3
  (cd "$root/$2" && exec go build "${@:4}" -o "$cache/bin/$1" "$3") &
  while kill -0 $! 2>/dev/null; do
    sleep 0.2
    if ((SECONDS - begun >= next)); then
      echo "Building $1: $((SECONDS - begun)) s; the first time this takes some minutes" >&2
      ((next += 30))
    fi
  done
  wait $!
}

build() {
  mkdir -p "$cache/bin"
  # Without its version Kubernetes reports one that its clients cannot parse.
  compile cluster test/cluster . -ldflags '-s -w -X k8s.io/component-base/version.gitVersion=v1.35.4'
  compile tekton-pipelines-controller test/tekton "$tekton" -ldflags '-s -w'
  compile leases-controller . ./cmd/leases-controller -ldflags '-s -w'
  (cd "$root/test/tekton" && go list -m -f '{{.Dir}}/config' github.com/tektoncd/pipeline) >"$cache/tekton-config"
}

case ${1:-} in
  build) build ;;
  up)
    build
    exec "$cache/bin/cluster" up --image "ko://$tekton=$cache/bin/tekton-pipelines-controller" \
      --image "ko://$ours=$cache/bin/leases-controller" "${@:2}"
    ;;
  *)
    sed -n '/^# Builds/,/^$/s/^# \{0,1\}//p' "$0"
    [[ ${1:-} == --help ]] || exit 2
    ;;
esac
