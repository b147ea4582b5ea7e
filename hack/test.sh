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

# Runs every check and test of this repository; the last lines are those of go test.
# Usage: hack/test.sh [unit|e2e]
#   unit  the tree, vet, lint, unit tests with the race detector, the modules under test/
#   e2e   tests against a real API server and real Tekton controllers
# Without an argument: both.

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
[[ $# == 0 || ($# == 1 && $1 =~ ^(unit|e2e)$) ]] || refuse "unit or e2e, not \"$*\""

cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
current='the arguments'
trap '(($?)) && printf "FAILED after %ds: %s\n" "$SECONDS" "$current" >&2' EXIT

step() { # <what it is> <command>...
  current=$1
  printf '=== %ds: %s\n' "$SECONDS" "$current"
  "${@:2}"
}

c_compiler() { # the race detector needs one
  echo '#include <stdlib.h>' | gcc -E - >/dev/null 2>&1 && return
  if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
    echo 'gcc or the headers of the C library are missing (Debian: gcc, libc6-dev)' >&2
    return 1
  fi
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends gcc libc6-dev >/dev/null
}

prometheus() { # the alerts' tests need promtool, and would be skipped without it
  PROMTOOL=$(hack/prometheus.sh)/promtool
  export PROMTOOL
}

test_module() { # <directory>
  # vet would first go through all of Kubernetes, which takes longer than everything else.
  (cd "$1" && go test -vet=off ./...)
}

unit() {
  step 'a C compiler' c_compiler
  step 'Prometheus' prometheus
  step 'the tree' hack/verify.sh
  step 'vet' go vet -tags e2e ./...
  step 'lint' hack/lint.sh
  for module in $(git ls-files '*/go.mod' | xargs -r dirname); do
    # One that only pins tools has no packages of its own.
    [[ -z $(cd "$module" && go list ./...) ]] || step "tests in $module" test_module "$module"
  done
  # The lab runs hours of virtual time: with the race detector that takes half an hour.
  step 'unit tests with the race detector' env CGO_ENABLED=1 go test -race -timeout 20m $(go list ./... | grep -v '/test/lab$')
  step 'the lab' go test -timeout 20m ./test/lab
}

case ${1:-all} in
  unit) unit ;;
  e2e) step 'tests on a cluster' hack/e2e.sh ;;
  all)
    unit
    step 'tests on a cluster' hack/e2e.sh
    ;;
esac
