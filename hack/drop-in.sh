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

# Adds the controller to a checkout or copy of Tekton Pipelines (github.com/tektoncd/pipeline), so that its own release builds
# and installs it: the manifests, with no replica, since what is new there is switched on by whoever wants it; a program of a
# few lines; and its name among the images that tekton/publish.yaml expects. The packages are those of this checkout. Run
# again, it brings what it has added up to date.
# Usage: hack/drop-in.sh DIR

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly ours=github.com/tektoncd/leases-controller theirs=github.com/tektoncd/pipeline
export CGO_ENABLED=0 GOWORK=off

fail() { # <what is wrong>
  echo "hack/drop-in.sh: $1" >&2
  exit 1
}

# What they list is one line of words: default: "controller webhook ...".
images() { sed -n '/^ *- name: images$/,/^ *- name: /s/^ *default: "\(.*\)"$/\1/p' tekton/publish.yaml; }

# Only the files of config/ itself: their release reads directories too, and what lies in ours is optional.
manifests() {
  local file
  for file in "$root"/config/*.yaml; do
    sed -e "s|ko://$ours/|ko://$theirs/|" -e 's|^  replicas: 1$|  replicas: 0|' "$file" >"config/${file##*/}"
  done
}

program() {
  mkdir -p cmd/leases-controller/kodata
  cp "$root/cmd/leases-controller/main.go" cmd/leases-controller/
  cp "$root/cmd/leases-controller/kodata/LICENSE" cmd/leases-controller/kodata/
}

image() {
  [[ " $(images) " == *' leases-controller '* ]] ||
    sed -i '/^ *- name: images$/,/^ *- name: /s/^\( *default: ".*\)"$/\1 leases-controller"/' tekton/publish.yaml
}

packages() {
  go mod edit -require="$ours@v0.0.0" -replace="$ours=$root"
  GOFLAGS=-mod=mod go list -deps ./cmd/leases-controller >/dev/null # notes the checksums of what the program needs
  [[ ! -d vendor ]] || go mod vendor
}

(($# == 1)) || refuse 'one DIR, a checkout or copy of Tekton Pipelines'
[[ -d $1 ]] || refuse "there is no directory $1"
cd "$1"
grep -qx "module $theirs" go.mod 2>/dev/null || fail "$1 is not the module $theirs"
[[ -w . && -n $(images 2>/dev/null) ]] || fail "$1 cannot be changed, or has no list of images in tekton/publish.yaml"
manifests
program
image
packages
