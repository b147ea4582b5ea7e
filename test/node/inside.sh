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

# What runs in the namespaces of the node that up.sh starts, as their first process: when one part ends, all do.
# Usage: inside.sh DIR ADDRESS DIRECTORY_OF_PROGRAMS

set -o errexit -o nounset -o pipefail

dir=$1 address=$2 bin=$3
readonly pods=10.244.0.0/16
trap 'exit 0' TERM

# Nothing below these directories is the machine's own.
own_directories() {
  mkdir -p "$dir/lib" "$dir/cni" "$dir/sysctl" "$dir/registry"
  mount -t tmpfs tmpfs /run
  mount --bind "$dir/lib" /var/lib
  mount --bind "$dir/log" /var/log
  # The kubelet sets these for the whole machine: it gets others.
  local file
  for file in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
    cat "/proc/sys/$file" >"$dir/sysctl/${file//\//.}"
    mount --bind "$dir/sysctl/${file//\//.}" "/proc/sys/$file"
  done
}

network() {
  ip link set lo up
  until ip link show outside >/dev/null 2>&1; do sleep 0.1; done
  ip link set outside up
  ip address add "$address/30" dev outside
  echo 1 >/proc/sys/net/ipv4/ip_forward
  cat >"$dir/cni/10-pods.conflist" <<EOF
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
  {"type": "bridge", "bridge": "pods", "isGateway": true, "hairpinMode": true,
   "ipam": {"type": "host-local", "ranges": [[{"subnet": "$pods"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
EOF
}

snapshotter() { # there is no overlay on top of another
  [[ $(stat --file-system --format %T "$dir") == overlayfs ]] && echo native || echo overlayfs
}

containers() {
  cat >"$dir/containerd.toml" <<EOF
version = 2
root = "$dir/containerd"
state = "/run/containerd"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost:5000/pause:latest"
  restrict_oom_score_adj = true # CAP_SYS_RESOURCE may be missing
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$dir/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "$(snapshotter)"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
EOF
  containerd --config "$dir/containerd.toml" >"$dir/log/containerd.log" 2>&1 &
  "$bin/crane" registry serve --address localhost:5000 --disk "$dir/registry" >"$dir/log/registry.log" 2>&1 &
}

# Its API is open, in a network that only this machine reaches.
kubelet() {
  cat >"$dir/kubelet.yaml" <<EOF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $address
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
failCgroupV1: false
failSwapOn: false
evictionHard: {memory.available: 1Mi, nodefs.available: 0%, nodefs.inodesFree: 0%, imagefs.available: 0%}
imageGCHighThresholdPercent: 100
makeIPTablesUtilChains: false
oomScoreAdj: 0
resolvConf: $dir/resolv.conf
EOF
  touch "$dir/resolv.conf"
  "$bin/kubelet" kubelet --config "$dir/kubelet.yaml" --kubeconfig "$dir/control-plane/kubelet.kubeconfig" \
    --hostname-override local --node-ip "$address" >"$dir/log/kubelet.log" 2>&1 &
}

proxy() { # what it would set for connections is the whole machine's
  "$bin/kubelet" kube-proxy --kubeconfig "$dir/control-plane/kube-proxy.kubeconfig" --hostname-override local \
    --proxy-mode iptables --cluster-cidr "$pods" --conntrack-max-per-core 0 --conntrack-tcp-timeout-established 0 \
    --conntrack-tcp-timeout-close-wait 0 >"$dir/log/kube-proxy.log" 2>&1 &
}

own_directories
network
containers
until [[ -e $dir/log/kube-apiserver.log && -e /run/containerd/containerd.sock ]]; do sleep 0.2; done
kubelet
proxy
wait -n || true
echo "One of these has ended, and with it the others: containerd, the registry, kubelet, kube-proxy" >&2
exit 1
