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
# Usage: hack/cluster.sh build | kubelet | up --dir DIR [ARGUMENT...]
#   build    builds it, what Tekton needs, and our controller, into ${CACHE:-.cache}/bin
#   kubelet  builds what a real node needs besides, see test/node
#   up       builds, and runs a cluster until it is stopped

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=$(realpath --canonicalize-missing "${CACHE:-$root/.cache}")
tekton=github.com/tektoncd/pipeline
export GOWORK=off CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false'

compile() { # <name> <directory> <package> [more for the linker]
  local begun=$SECONDS next=3
  (cd "$root/$2" && exec go build -ldflags "-s -w ${4:-}" -o "$cache/bin/$1" "$3") &
  while kill -0 $! 2>/dev/null; do
    sleep 0.2
    ((SECONDS - begun < next)) && continue
    echo "Building $1: $((SECONDS - begun)) s; the first time this takes some minutes" >&2
    ((next += 30))
  done
  wait $!
}
mkdir -p "$cache/bin"
# Without its version Kubernetes reports one that its clients cannot parse.
readonly version='-X k8s.io/component-base/version.gitVersion=v1.35.4'
case ${1:-} in
  build)
    compile cluster test/cluster . "$version"
    compile tekton-pipelines-controller test/tekton $tekton/cmd/controller
    compile tekton-entrypoint test/tekton $tekton/cmd/entrypoint # what TaskRuns run their steps with,
    compile tekton-nop test/tekton $tekton/cmd/nop               # and a step for them
    compile leases-controller . ./cmd/leases-controller
    (cd "$root/test/tekton" && go list -m -f '{{.Dir}}/config' $tekton) >"$cache/tekton-config"
    ;;
  kubelet) compile kubelet test/cluster ./kubelet "$version" ;;
  up)
    "${BASH_SOURCE[0]}" build
    exec "$cache/bin/cluster" up --image "ko://$tekton/cmd/controller=$cache/bin/tekton-pipelines-controller" \
      --image "ko://$tekton/cmd/entrypoint=$cache/bin/tekton-entrypoint" --image "ko://$tekton/cmd/nop=$cache/bin/tekton-nop" \
      --image "ko://github.com/tektoncd/leases-controller/cmd/leases-controller=$cache/bin/leases-controller" "${@:2}"
    ;;
  *) refuse "build, kubelet or up, not \"${1:-}\"" ;;
esac
