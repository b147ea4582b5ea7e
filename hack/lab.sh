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

# Runs the lab's scenarios thousands of times in virtual time, one process for each core; prints a table, and RESULT as
# the last line. Fails if a promise was not kept, and says how to repeat that run.
# Usage: hack/lab.sh [-runs N] [-seed S] | -repeat '<run>'
#   -runs    how often the first row runs (1400, which is 21,000 handovers); the others have a share of that
#   -seed    the seed of the first run (1)
#   -repeat  makes one run and shows what happened: 'scenario=restart seed=7'

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
runs=1400 seed=1 repeat=''
number() { [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "$1: a whole number from 1, not \"${2:-}\""; }

while (($#)); do
  case $1 in
    -runs) number "$@" && runs=$2 ;;
    -seed) number "$@" && seed=$2 ;;
    -repeat) [[ -n ${2:-} ]] || refuse '-repeat: the run is missing' && repeat=$2 ;;
    *) refuse "-runs, -seed or -repeat, not \"$1\"" ;;
  esac
  shift 2
done

temporary=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$temporary"' EXIT
go test -c -o "$temporary/lab" ./test/lab
go build -o "$temporary/table" ./test/lab/table
# Goroutines of one processor that are not interrupted take turns as they are: a busy machine changes nothing in a run.
export GOMAXPROCS=1 GODEBUG=asyncpreemptoff=1
if [[ -n $repeat ]]; then
  "$temporary/lab" -test.run '^TestRepeat$' -test.v -repeat "$repeat"
  exit
fi
cores=$(nproc)
for ((i = 1; i <= cores; i++)); do
  GOGC=400 "$temporary/lab" -test.run '^TestRuns$' -test.timeout 0 -records "$temporary/$i.json" \
    -runs "$runs" -seed "$seed" -shard "$i/$cores" >"$temporary/$i.log" &
done
for job in $(jobs -p); do
  wait "$job" || { cat "$temporary"/*.log >&2; exit 1; }
done
"$temporary/table" "$temporary"/*.json
