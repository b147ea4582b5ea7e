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

# Measures what many Deployments in one namespace cost: 20 leases and 2 replicas each, with knative's electors, on a real API
# server. About 10 minutes for each number of Deployments.
# Usage: hack/scale.sh [NUMBER]...   5 and 50 Deployments, if none is given

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"

cd "$(dirname "$0")/.."
for number in "$@"; do
  [[ $number =~ ^[1-9][0-9]*$ ]] || refuse "NUMBER: how many Deployments, from 1, not \"$number\""
done
(($#)) || set -- 5 50
export SCALE="$*"
exec hack/e2e.sh -run '^TestScale$'
