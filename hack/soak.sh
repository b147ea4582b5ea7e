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

# Lets something happen to Tekton, to our controller or to the API server every 20 s, by chance, on a cluster of its own,
# while PipelineRuns are created, and judges what came of it. The seed is in the log: with it the same events are drawn.
# Usage: hack/soak.sh [--minutes N] [--seed S]

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

cd "$(dirname "$0")/.."
minutes=30
while (($#)); do
  case $1 in
    --minutes) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "--minutes: a whole number from 1, not \"${2:-}\"" && minutes=$2 ;;
    --seed) [[ ${2:-} =~ ^[0-9]+$ ]] || refuse "--seed: a whole number, not \"${2:-}\"" && export SEED=$2 ;;
    *) refuse "--minutes or --seed, not \"$1\"" ;;
  esac
  shift 2
done
export SOAK_MINUTES=$minutes
exec hack/e2e.sh -run '^TestSoak$' -timeout "$((minutes + 30))m"
