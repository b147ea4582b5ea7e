/*
Copyright 2026 The Tekton Authors

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

package up

import (
	"crypto/x509"
	"encoding/csv"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/clientcmd"
)

func testPlan(t *testing.T) *plan {
	t.Helper()
	dir := t.TempDir()
	if err := makeDirs(dir); err != nil {
		t.Fatal(err)
	}
	p, err := newPlan(&options{dir: dir, images: []string{"x=/y"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.writeFiles(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryKubeconfigHasAToken(t *testing.T) {
	p := testPlan(t)
	file, err := os.Open(p.file("tokens.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{} // token, user, uid, groups by user
	for _, row := range rows {
		want[row[1]] = row
	}
	got := map[string][]string{}
	for _, u := range p.users() {
		config, err := clientcmd.BuildConfigFromFlags("", u.kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		got[u.name] = []string{config.BearerToken, u.name, u.name, u.group}
		if want := "https://127.0.0.1:" + strconv.Itoa(p.apiPort); config.Host != want {
			t.Errorf("%s goes to %s, want %s", u.name, config.Host, want)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected tokens (-want, +got): %s", diff)
	}
}

func TestCertificateIsForTheServiceAddressToo(t *testing.T) {
	p := testPlan(t)
	text, err := os.ReadFile(p.file("serving.crt"))
	if err != nil {
		t.Fatal(err)
	}
	authority := x509.NewCertPool()
	authority.AppendCertsFromPEM(text) // it is also the file that pods trust
	block, _ := pem.Decode(text)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"127.0.0.1", serviceIP, "kubernetes.default.svc", "localhost"} {
		if _, err := certificate.Verify(x509.VerifyOptions{DNSName: name, Roots: authority}); err != nil {
			t.Errorf("%s is not trusted: %v", name, err)
		}
	}
}

func TestServeNodeThatIsStartedApart(t *testing.T) {
	dir := t.TempDir()
	if err := makeDirs(dir); err != nil {
		t.Fatal(err)
	}
	p, err := newPlan(&options{dir: dir, address: "192.0.2.2"})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.writeFiles(); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", p.kubeconfig("kubelet"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "https://192.0.2.2:" + strconv.Itoa(p.apiPort); config.Host != want {
		t.Errorf("the kubelet goes to %s, want %s", config.Host, want)
	}
	for _, want := range []string{"--bind-address=192.0.2.2", "--advertise-address=192.0.2.2"} {
		if !slices.Contains(p.apiServer().args, want) {
			t.Errorf("the API server runs without %s", want)
		}
	}
	if nodes := p.nodes(); len(nodes) > 0 {
		t.Errorf("%d nodes run here, want none", len(nodes))
	}
}

func TestSecretsAreTheOwners(t *testing.T) {
	p := testPlan(t)
	err := filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == p.dir {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %s", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestClustersShareNothing(t *testing.T) {
	one, two := testPlan(t), testPlan(t)
	if one.apiPort == two.apiPort && one.etcdPort == two.etcdPort {
		t.Errorf("both use the ports %d and %d", one.apiPort, one.etcdPort)
	}
	for _, i := range []invocation{one.etcd(), one.apiServer(), one.controllerManager(), one.scheduler(), one.node()} {
		for _, arg := range i.args {
			if _, path, _ := strings.Cut(arg, "="); strings.HasPrefix(path, "/") && !strings.HasPrefix(path, one.dir+"/") && path != one.dir {
				t.Errorf("%s uses %s, which is outside of the cluster's directory", i.name, arg)
			}
		}
	}
}

func TestFreePorts(t *testing.T) {
	var a, b, c int
	if err := freePorts(&a, &b, &c); err != nil {
		t.Fatal(err)
	}
	for _, port := range []int{a, b, c} {
		if port < firstPort || port >= lastPort {
			t.Errorf("port %d is outside of the range", port)
		}
		listener, err := net.Listen("tcp", loopback(port))
		if err != nil {
			t.Errorf("port %d is not free: %v", port, err)
			continue
		}
		defer listener.Close() // so that the same port twice is noticed
	}
}
