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

# Ends what up.sh has started, and removes all that is left of it.
# Usage: test/node/down.sh [DIR]

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../hack/lib/arguments.sh"
(($# < 2)) && [[ ${1:-} != -* ]] || refuse "one DIR or none, not \"$*\""

dir=$(realpath --canonicalize-missing "${1:-/tmp/leases-node}")

end() { # <name of a pid file> <signal>
  local pid
  pid=$(cat "$dir/$1" 2>/dev/null) || return 0
  # Another process may have that number by now.
  grep --quiet --text --fixed-strings "$dir" "/proc/$pid/cmdline" 2>/dev/null || return 0
  echo "node: ending process $pid ($1)" >&2
  kill "-$2" "$pid"
  timeout 30 tail --pid="$pid" --follow /dev/null || kill -KILL "$pid"
}

# The control groups of containers outlive a machine's namespaces.
remove_cgroups() {
  local container tries=0
  for container in "$dir"/containerd/io.containerd.grpc.v1.cri/{containers,sandboxes}/*; do
    until find /sys/fs/cgroup -mindepth 2 -depth -type d -path "*/k8s.io/${container##*/}*" -exec rmdir {} +; do
      ((++tries < 100)) || return 1
      sleep 0.1 # its processes are still ending
    done 2>/dev/null
  done
  # Somebody else's containers may be beside them.
  find /sys/fs/cgroup -mindepth 1 -maxdepth 2 -name k8s.io -exec rmdir --ignore-fail-on-non-empty {} +
}

[[ -e $dir/node.pid ]] || exit 0
end node.pid KILL # its namespaces end with it, and with them its processes, mounts, interfaces and rules
end cluster.pid TERM
for ((tries = 0; tries < 100; tries++)); do
  ip link show leases-node >/dev/null 2>&1 || break
  sleep 0.1
done
ip link delete leases-node 2>/dev/null || true
remove_cgroups || { echo "node: control groups below /sys/fs/cgroup/*/k8s.io stay" >&2 && exit 1; }
rm -rf "$dir"
echo "node: nothing is left of it" >&2
