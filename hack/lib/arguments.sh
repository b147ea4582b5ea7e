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

# For scripts to source before anything else: -h and --help print the file named by help, or else the comment at
# the head of the script, and refuse ends it when it is called in another way than that says.

set -o errexit -o nounset -o pipefail

script=$(realpath --relative-to "$(dirname "${BASH_SOURCE[0]}")/../.." "$0")
refuse() { # <what is wrong with the arguments>
  echo "$script: $1, see --help" >&2
  exit 2
}

for argument in "$@"; do
  case $argument in
    -h | --help)
      if [[ -n ${help:-} ]]; then
        cat "$help"
      else
        awk -v RS= 'NR == 3' "$0" | sed 's/^# \{0,1\}//'
      fi
      exit
      ;;
  esac
done
unset argument
