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

# Shows on a real cluster how uneven leases become even. See --help.

set -o errexit -o nounset -o pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
help=$ROOT/test/demo/usage.txt
source "$ROOT/hack/lib/arguments.sh"
CACHE=$(realpath --canonicalize-missing "${CACHE:-$ROOT/.cache}")
export ROOT CACHE

if [[ $(uname -s) != Linux ]]; then
  echo "hack/demo.sh: needs Linux: pods are processes in namespaces of the kernel" >&2
  exit 1
fi
if ! command -v go >/dev/null; then
  echo "hack/demo.sh: needs Go, the version that go.mod names or later: https://go.dev/dl" >&2
  exit 1
fi

# What is wrong with the options or with the machine is told before the long build.
mkdir -p "$CACHE/bin"
echo "Building the demo (about a minute the first time) ..." >&2
(cd "$ROOT" && CGO_ENABLED=0 GOWORK=off GOFLAGS='-trimpath -buildvcs=false' go build -o "$CACHE/bin/demo" ./test/demo)
"$CACHE/bin/demo" --validate-only "$@"
"$ROOT/hack/cluster.sh" build
exec "$CACHE/bin/demo" "$@"
