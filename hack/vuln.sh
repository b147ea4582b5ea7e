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

# Looks for known vulnerabilities in what our commands call, with govulncheck. Its database is made of the module
# golang.org/x/vulndb, so that nothing but a module proxy has to be reached.
# Usage: hack/vuln.sh [flag of govulncheck]...
# It exits with 3 if there are any. VULNDB=VERSION takes another version of the database, such as latest.

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
[[ ${1:--} == -* ]] || refuse "flags of govulncheck, which begin with -, not \"$1\""

cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
readonly version=v1.10.0
readonly database=${VULNDB:-v0.0.0-20261105234957-e22db6528018}
cache=$(realpath -m "${CACHE:-.cache}")/vuln
mkdir -p "$cache"

if [[ $(go version -m "$cache/govulncheck" 2>/dev/null) != *"golang.org/x/vuln	$version"* ]]; then
  GOBIN=$cache go install "golang.org/x/vuln/cmd/govulncheck@$version"
fi
resolved=$(GOFLAGS=-mod=mod go list -m -f '{{.Version}}' "golang.org/x/vulndb@$database")
db=$cache/$resolved
if [[ ! -d $db ]]; then
  GOBIN=$cache go install "golang.org/x/vulndb/cmd/indexdb@$resolved"
  source=$(GOFLAGS=-mod=mod go mod download -json "golang.org/x/vulndb@$resolved" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
  rm -rf "$db.part"
  "$cache/indexdb" -vulns "$source/data/osv" -out "$db.part"
  mv "$db.part" "$db"
fi
exec "$cache/govulncheck" -db "file://$db" "$@" ./cmd/...
