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

# Checks what no compiler and no test looks at: format, licence headers, sizes, scripts, go.mod and vendor/.
# Usage: hack/verify.sh

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
(($# == 0)) || refuse "no arguments, not \"$1\""

cd "$(dirname "$0")/.."
export GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
readonly max_lines=400
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
failed=0

complain() { # <what is wrong>, with the details on standard input
  sed "s|^|$1: |" >&2
  failed=1
}

files() { # <pattern>...: what is tracked and our own, without links
  git ls-files -s -- "$@" ':!vendor' ':!*/testdata/*' | awk '$1 != 120000 { sub(/^[^\t]*\t/, ""); print }'
}

check() { # <what is wrong> <command that prints the offenders>...
  local offenders
  offenders=$("${@:2}")
  [[ -z $offenders ]] || complain "$1" <<<"$offenders"
}

without_header() {
  local file
  for file in $(files '*.go' '*.sh' '*.yaml' .ci/run); do
    head -n 20 "$file" | grep -q 'Licensed under the Apache License, Version 2.0' || echo "$file"
  done
}

too_long() {
  files '*.go' | xargs wc -l | awk -v max="$max_lines" '$2 != "total" && $1 > max { print $2 " has " $1 " lines" }'
}

other_licence() { # copies, since ko puts no file into an image that a link to the outside of kodata/ names
  local file
  for file in $(files '*/kodata/LICENSE'); do
    cmp LICENSE "$file" 2>&1
  done
}

careless_scripts() {
  local file
  for file in $(files '*.sh' .ci/run); do
    [[ -x $file || $file == hack/lib/* ]] || echo "$file is not executable"
    bash -n "$file" 2>&1
    grep -q '^set -o errexit -o nounset -o pipefail$' "$file" || echo "$file goes on after an error"
  done
}

# What go says while it succeeds is progress: on a machine that has none of the modules it tells of each download.
untidy() {
  local said
  said=$(go mod tidy -diff 2>&1) || echo "$said"
}

stale_vendor() {
  local said
  said=$(go mod vendor -o "$temporary/vendor" 2>&1) || echo "$said"
  diff -rq vendor "$temporary/vendor" 2>&1
}

check 'not formatted' gofmt -l $(files '*.go')
check 'no licence header' without_header
check "more than $max_lines lines" too_long
check 'the licence in the image is another one' other_licence
check 'script' careless_scripts
check 'go.mod is not tidy (hack/update-deps.sh)' untidy
check 'vendor/ is not what go.mod asks for (hack/update-deps.sh)' eval 'stale_vendor || true'
exit "$failed"
