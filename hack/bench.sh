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

# Measures what users gain from an even spread of the leases, with real Tekton on a real API server: PipelineRuns of two tasks,
# with all leases on one replica, with the same replicas made even by us, and with StatefulSet ordinals, in turn; and how many
# PipelineRuns wait when something happens to one of two replicas. A line RESULT for each, and tables of medians and ranges.
#   --runs N           how often everything is measured, 5 unless given
#   --pipelineruns N   how many PipelineRuns are created at once, 300 unless given
#   --parts WORDS      what is measured, of these, with commas between them; all unless given:
#                      default-2, default-3   2 and 3 replicas with Tekton's QPS, burst and threads (5, 10 and 2)
#                      konflux-2, konflux-3   the same with those of Konflux (50, 50 and 32)
#                      killed                 one of two replicas is killed, and its container starts again at once
#                      crashing               ... and is killed twice more, each time as soon as it is Ready
#                      cut-off                one of two replicas cannot reach the API server for two minutes, as on a lost node
#   --readme           puts the tables into README.md as well
# About 45 minutes for each run of everything with 100 PipelineRuns, on 2 cores that have nothing else to do.
# Usage: hack/bench.sh [--runs N] [--pipelineruns N] [--parts WORDS] [--readme]

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

cd "$(dirname "$0")/.."
number() { # <option> <value>
  [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] || refuse "$1: a whole number from 1, not \"$2\""
}
known=(default-2 default-3 konflux-2 konflux-3 killed crashing cut-off)
runs=5 pipelineruns=300 parts=("${known[@]}") readme=''
while (($#)); do
  case $1 in
    --runs) number "$1" "${2:-}" && runs=$2 && shift ;;
    --pipelineruns) number "$1" "${2:-}" && pipelineruns=$2 && shift ;;
    --parts)
      IFS=, read -r -a parts <<<"${2:-}"
      ((${#parts[@]})) || refuse "--parts: one or more of ${known[*]}"
      for part in "${parts[@]}"; do
        [[ " ${known[*]} " == *" $part "* ]] || refuse "--parts: \"$part\" is not one of ${known[*]}"
      done
      shift
      ;;
    --readme) readme=yes ;;
    *) refuse "--runs, --pipelineruns, --parts or --readme, not \"$1\"" ;;
  esac
  shift
done
CACHE=$(realpath -m "${CACHE:-.cache}")
export CACHE BENCH_RUNS=$runs BENCH_PIPELINERUNS=$pipelineruns BENCH_PARTS="${parts[*]}" BENCH_RESULTS=$CACHE/bench.jsonl
rm -f "$BENCH_RESULTS"
hack/e2e.sh -run '^TestBench$' -timeout "$((60 * runs + 60))m"
if [[ $readme ]]; then
  cp "$BENCH_RESULTS" test/bench/results.jsonl
  go test -count=1 ./test/bench -run '^TestREADME$' -update
fi
