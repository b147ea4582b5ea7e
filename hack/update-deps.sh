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

# Brings go.mod, go.sum and vendor/ in line with what the code imports, and looks at the licences of all that is vendored.
# Usage: hack/update-deps.sh [module@version]...

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
for module in "$@"; do
  [[ $module == [^-]*@?* ]] || refuse "module@version, not \"$module\""
done

cd "$(dirname "$0")/.."
export GOFLAGS='-trimpath -buildvcs=false' GOWORK=off

if (($#)); then
  GOFLAGS="$GOFLAGS -mod=mod" go get "$@"
fi
for file in go.mod $(git ls-files '*/go.mod'); do
  (cd "$(dirname "$file")" && go mod tidy)
done
go mod vendor

# A module has its licence at its root, and none of them may be one that reaches what is linked with it.
status=0
for module in $(awk '/^# / { print $2 }' vendor/modules.txt); do
  [[ -d vendor/$module ]] || continue # needed by a version choice only, no package of it is used
  licences=$(find "vendor/$module" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' \))
  if [[ -z $licences ]]; then
    echo "$module: no licence found" >&2
    status=1
  elif grep -l 'GENERAL PUBLIC LICENSE' $licences >&2; then
    status=1
  fi
done
exit "$status"
