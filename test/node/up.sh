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

# Starts a Kubernetes whose only node is this machine: the control plane of test/cluster, and kubelet, kube-proxy,
# containerd and runc. Images of Tekton's and our controllers are built by ko, and pulled. It needs root. Where it is up
# already nothing is done; test/node/down.sh ends it.
# Usage: test/node/up.sh [DIR]
#   DIR  a directory for all files of it (/tmp/leases-node): DIR/kubeconfig is the administrator's, DIR/images says which
#        image is meant by each name in a manifest (ko://...), DIR/log has what every part prints

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../hack/lib/arguments.sh"
(($# < 2)) && [[ ${1:-} != -* ]] || refuse "one DIR or none, not \"$*\""

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=$(realpath --canonicalize-missing "${1:-/tmp/leases-node}")
cache=$(realpath --canonicalize-missing "${CACHE:-$root/.cache}")
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
readonly tekton=github.com/tektoncd/pipeline own=github.com/tektoncd/leases-controller
readonly link=leases-node subnet=203.0.113.0/30 outside=203.0.113.1 address=203.0.113.2

say() { printf 'node: %4d s: %s\n' "$SECONDS" "$*" >&2; }
fail() {
  echo "node: $*" >&2
  exit 1
}

check() {
  ((EUID == 0)) || fail 'it takes root to run containers'
  [[ $dir/ != /run/* && $dir/ != /var/* ]] || fail "$dir is hidden from the node, name another directory"
  local piece
  for piece in containerd:containerd containerd-shim-runc-v2:containerd runc:runc ip:iproute2 iptables:iptables \
    /usr/lib/cni/bridge:containernetworking-plugins nsenter:util-linux unshare:util-linux; do
    command -v "${piece%:*}" >/dev/null || fail "${piece%:*} is missing (Debian: ${piece#*:})"
  done
  check_kernel
}

# Whether this machine permits a thing is found out by trying it.
check_kernel() {
  try 'namespaces' true
  try 'mounts' mount -t tmpfs tmpfs /run
  try 'pairs of virtual interfaces' ip link add name one type veth peer name two
  try 'bridges' ip link add name one type bridge
  try 'translation of addresses by iptables' iptables --table nat --append POSTROUTING --match comment --comment it \
    --match mark --mark 1 --jump MASQUERADE
  try 'connection tracking by iptables' iptables --append FORWARD --match conntrack --ctstate INVALID --jump DROP
  local cgroups=/sys/fs/cgroup
  [[ $(stat --file-system --format %T $cgroups) == cgroup2fs ]] || cgroups+=/memory # version 1
  try 'control groups' bash -c "mkdir $cgroups/leases-node && rmdir $cgroups/leases-node"
}

try() { # <what it is called> <command>...
  local why
  why=$(unshare --mount --net --pid --fork "${@:2}" 2>&1) || fail "this machine does not permit $1: $why"
}

# The link must not take anything away that this machine reaches already.
check_subnet() {
  local routes
  routes=$(ip route show table all match "$subnet" && ip route show table all root "$subnet")
  routes=$(grep --invert-match '^default' <<<"$routes" || true)
  [[ -z $routes ]] || fail "this machine has a route to $subnet already: $routes"
}

alive() { # <name of a pid file>
  grep --quiet --text --fixed-strings "$dir" "/proc/$(cat "$dir/$1" 2>/dev/null)/cmdline" 2>/dev/null
}

# What has the pieces of the node is in namespaces of its own: with their first process everything in them ends.
start_node() {
  mkdir -p "$dir/log"
  setsid unshare --mount --net --pid --fork --kill-child --mount-proc "$here/inside.sh" "$dir" "$address" "$cache/bin" \
    <<<'' >"$dir/log/node.log" 2>&1 &
  echo $! >"$dir/node.pid"
  local children=/proc/$!/task/$!/children
  until read -r inside <"$children" || [[ -n $inside ]]; do sleep 0.1; done # it has no newline
  until [[ $(readlink "/proc/$inside/ns/net") != "$(readlink /proc/self/ns/net)" ]]; do sleep 0.1; done
  ip link add "$link" type veth peer name outside netns "$inside"
  ip address add "$outside/30" dev "$link"
  ip link set "$link" up
}

in_network() { nsenter "--net=/proc/$inside/ns/net" "$@"; }

start_control_plane() {
  until in_network ip -brief address | grep --quiet "$address"; do
    alive node.pid || fail "the node does not start, see $dir/log/node.log"
    sleep 0.1
  done
  setsid nsenter "--net=/proc/$inside/ns/net" "$cache/bin/cluster" up --dir "$dir" --address "$address" <<<'' >"$dir/log/up.log" 2>&1 &
  echo $! >"$dir/cluster.pid"
}

# Everything that is built was built before: there is no way out of the node's network.
push_images() {
  export GOPROXY=off KO_DOCKER_REPO=localhost:5000 KO_DEFAULTBASEIMAGE=localhost:5000/base
  local crane=$cache/bin/crane package
  until in_network "$crane" catalog localhost:5000 >/dev/null 2>&1; do sleep 0.1; done
  tar --create --files-from /dev/null | in_network "$crane" append --new_layer - --new_tag localhost:5000/base >"$dir/log/ko.log" 2>&1
  in_network "$crane" mutate --set-platform "linux/$(go env GOARCH)" --user 65532 --tag localhost:5000/base localhost:5000/base >>"$dir/log/ko.log" 2>&1
  for package in $own/cmd/leases-controller $own/test/node/pause; do push . "$package"; done
  for package in $tekton/cmd/controller $tekton/cmd/entrypoint $tekton/cmd/nop; do push test/tekton "$package"; done
  mv "$dir/images.part" "$dir/images"
}

push() { # <directory of its module> <package>
  local image
  image=$(cd "$root/$1" && in_network "$cache/bin/ko" build --platform "linux/$(go env GOARCH)" --sbom none --tags latest --base-import-paths \
    --ldflags '-s -w' "$2" 2>>"$dir/log/ko.log") || fail "failed to build the image of $2, see $dir/log/ko.log"
  echo "ko://$2 $image" >>"$dir/images.part"
}

wait_ready() {
  until grep --quiet '^READY' "$dir/log/up.log"; do
    alive node.pid || fail "the node has ended, see $dir/log/node.log"
    alive cluster.pid || fail "the control plane has ended: $(tail -n 1 "$dir/log/up.log")"
    sleep 0.2
  done
}

check
if [[ -e $dir/images ]] && alive node.pid && alive cluster.pid; then
  say 'it is up already'
else
  "$here/down.sh" "$dir"
  [[ ! -e $dir || -z $(ls -A "$dir") ]] || fail "$dir has files of somebody else"
  check_subnet
  "$root/hack/cluster.sh" build
  "$root/hack/cluster.sh" kubelet
  "$root/hack/ko.sh" >/dev/null
  trap '(($?)) && echo "node: its logs stay in $dir/log until test/node/down.sh $dir" >&2' EXIT
  say 'starting containerd'
  start_node
  say 'starting the control plane'
  start_control_plane
  say 'building and pushing images'
  push_images
  say 'waiting for the node'
  wait_ready
  say 'the node is ready'
fi
echo "READY kubeconfig=$dir/kubeconfig"
