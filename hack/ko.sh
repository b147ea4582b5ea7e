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

# Prints the directory that has ko, and crane, which the tests of a release need, at the versions pinned here:
# ${CACHE:-.cache}/bin. What is missing is built from source.
# Usage: hack/ko.sh

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
(($# == 0)) || refuse "no arguments, not \"$1\""

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$(realpath --canonicalize-missing "${CACHE:-$root/.cache}")/bin
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
readonly ko=v0.19.1
readonly crane=v0.21.7 # of the module that ko v0.19.1 is built with

install() { # <package> <module> <version>
  local program=$bin/${1##*/}
  go version -m "$program" 2>/dev/null | grep "^	mod	$2	$3	" >/dev/null || GOBIN=$bin go install "$1@$3" >&2
}

install github.com/google/ko github.com/google/ko "$ko"
install github.com/google/go-containerregistry/cmd/crane github.com/google/go-containerregistry "$crane"
echo "$bin"
