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

# Makes a release: builds the image for each platform, pushes it to KO_DOCKER_REPO, and writes release.yaml, which has it by
# its digest, an SBOM of each image, and checksums.txt. Made twice from the same files, Go and base image it is the same.
# Usage: hack/release.sh [--output DIR] VERSION
#   VERSION   vMAJOR.MINOR.PATCH, with or without a pre-release: v1.2.3, v1.2.3-rc.1
#   --output  where the files go: an empty directory, or one that is made (${CACHE:-.cache}/release/VERSION)
# From the environment:
#   KO_DOCKER_REPO       where the image goes, for example registry.example/me; one on loopback needs no TLS
#   KO_DEFAULTBASEIMAGE  what it is built on, instead of what ko brings along; it must be there for each platform
#   SOURCE_DATE_EPOCH    when it was built, in seconds; by default that of the commit

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

begun=$PWD
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
readonly platforms=linux/amd64,linux/arm64,linux/s390x,linux/ppc64le
readonly module=github.com/tektoncd/leases-controller

# A version is in labels too, which may not have a +, nor be longer than 63 characters.
check_version() {
  local number='(0|[1-9][0-9]*)' identifier='(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)'
  local semver="^v$number\.$number\.$number(-$identifier(\.$identifier)*)?$"
  [[ -n $version ]] || refuse 'VERSION is missing, for example v1.2.3'
  [[ $version =~ $semver && $version != *- && ${#version} -le 63 ]] || refuse "VERSION: vMAJOR.MINOR.PATCH or \
vMAJOR.MINOR.PATCH-PRERELEASE of at most 63 characters, ending in a letter or digit, not \"$version\""
}

arguments() {
  while (($#)); do
    case $1 in
      --output) [[ -n ${2:-} ]] || refuse '--output: the name of a directory is missing' && output=$2 && shift ;;
      -*) refuse "there is no option $1" ;;
      *) [[ -z $version ]] || refuse "one VERSION, not $version and $1" && version=$1 ;;
    esac
    shift
  done
  check_version
  [[ -n ${KO_DOCKER_REPO:-} ]] || refuse 'KO_DOCKER_REPO is not set: where the image goes, for example registry.example/me'
  output=$(cd "$begun" && realpath --canonicalize-missing "${output:-$cache/release/$version}")
  [[ ! -e $output || (-d $output && -z $(ls -A "$output")) ]] ||
    refuse "--output: $output is no empty directory"
}

# The commit, as knative.dev/pkg says it in logs and metrics.
revision() {
  local commit
  commit=$(git rev-parse --short=7 HEAD 2>/dev/null) || { echo unknown && return; }
  [[ -z $(git status --porcelain) ]] || commit+=-dirty
  echo "$commit"
}

resolve() { # <revision>
  KO_DATA_DATE_EPOCH=$SOURCE_DATE_EPOCH "$bin/ko" resolve --filename config/ --base-import-paths --tags "$version" \
    --platform "$platforms" --sbom spdx --sbom-dir "$temporary/release/sbom" \
    --ldflags "-s -w -X $module/pkg/reconciler/deployment.Version=$version -X knative.dev/pkg/changeset.rev=$1" \
    --image-label "org.opencontainers.image.source=https://$module,org.opencontainers.image.version=$version" \
    --image-label "org.opencontainers.image.revision=$1,org.opencontainers.image.licenses=Apache-2.0" \
    >"$temporary/resolved.yaml"
}

# Some container runtimes know no reference with both a tag and a digest.
stamp() {
  sed -e "s|:$version@sha256:|@sha256:|" -e "s|: \"devel\"|: \"$version\"|" "$temporary/resolved.yaml" >"$temporary/release/release.yaml"
}

version='' output=''
cache=$(realpath --canonicalize-missing "${CACHE:-.cache}")
arguments "$@"
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir -p "$temporary/release/sbom"
revision=$(revision)
[[ $revision != *-dirty ]] || echo "hack/release.sh: there are changes that are not committed, so the revision is $revision" >&2
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
bin=$(hack/ko.sh)

resolve "$revision"
stamp
(cd "$temporary/release" && find . -type f ! -name checksums.txt -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >"$temporary/checksums.txt")
mv "$temporary/checksums.txt" "$temporary/release"
mkdir -p "$output"
cp -R "$temporary/release/." "$output"
echo "$output/release.yaml has $(sed -n 's/^ *image: //p' "$output/release.yaml")" >&2
