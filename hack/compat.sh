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

# Tries our controller with several releases of Tekton's components, on a cluster of its own: all leases on one of two
# replicas, then one replica replaced. Keeps what came of it in test/compat/tried.jsonl, and makes the README's table of it.
# Usage: hack/compat.sh [VERSION]...   tries these versions of Tekton Pipelines, or all; of the others it keeps what is known

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
CACHE=$(realpath -m "${CACHE:-.cache}")
export CACHE
# What is tried of each release, of Tekton Pipelines and Chains: where more than one, in one namespace at once. Chains gets
# the usual Tekton Pipelines beside it, whose resources it watches.
releases=('v1.15.0 controller,events,resolvers' 'v1.12.0 controller' 'v1.9.0 controller' 'v1.6.0 controller' 'v0.26.0 chains')
for version in "$@"; do
  [[ " ${releases[*]%% *} " == *" $version "* ]] || refuse "VERSION: one of ${releases[*]%% *}, not \"$version\""
done

# A release is built in its own module, with the versions of everything that it was released with.
build() { # <version> <program>,...
  local module=github.com/tektoncd/pipeline programs=$2 directory program
  [[ $2 != chains ]] || module=github.com/tektoncd/chains programs=controller
  directory=$(go mod download -json "$module@$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
  for program in ${programs//,/ }; do
    echo "Building $program of ${module##*/} $1; this takes some minutes" >&2
    (cd "$directory" && go build -ldflags '-s -w' -o "$CACHE/compat/$program-$1" "./cmd/$program")
    IMAGES+="ko://$module/cmd/$program@$1=$CACHE/compat/$program-$1"$'\n'
  done
  COMPAT+="$1 $2 $directory/config"$'\n'
}

# What this run found, and of versions that it did not try what is known.
merge() {
  local version
  for version in "${releases[@]%% *}"; do
    grep "\"version\":\"$version\"" "$COMPAT_RESULT" || grep "\"version\":\"$version\"" test/compat/tried.jsonl || true
  done >"$CACHE/compat/merged.jsonl"
  mv "$CACHE/compat/merged.jsonl" test/compat/tried.jsonl
}

mkdir -p "$CACHE/compat"
export IMAGES='' COMPAT='' COMPAT_RESULT=$CACHE/compat/tried.jsonl
rm -f "$COMPAT_RESULT"
for release in "${releases[@]}"; do
  (($#)) && [[ " $* " != *" ${release%% *} "* ]] || build ${release}
done
hack/e2e.sh -run '^TestCompat$'
merge
go test -count=1 ./test/compat -run '^TestREADME$' -update
go test -count=1 ./test/compat
