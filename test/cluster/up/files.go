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
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"

	"github.com/tektoncd/leases-controller/test/cluster/node"
)

// auditPolicy records each write once, when it is answered, without its content,
// and so all that the ServiceAccounts of one namespace ask for, whatever it is.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: Metadata
  userGroups: ["system:serviceaccounts:audited"]
- level: Metadata
  verbs: [create, update, patch, delete, deletecollection]
- level: None
`

// user is one that the API server knows by a token.
type user struct {
	name, group string
	kubeconfig  string
}

func (p *plan) users() []user {
	return []user{
		{"admin", "system:masters", p.adminKubeconfig()},
		{"node", "system:masters", p.kubeconfig("node")},
		{"system:kube-controller-manager", "", p.kubeconfig("kube-controller-manager")},
		{"system:kube-scheduler", "", p.kubeconfig("kube-scheduler")},
		{"system:kube-proxy", "", p.kubeconfig("kube-proxy")},
		{"system:node:" + node.Name, "system:nodes", p.kubeconfig("kubelet")},
	}
}

// writeFiles writes what the components read.
func (p *plan) writeFiles() error {
	serving, err := p.writeCertificate()
	if err != nil {
		return fmt.Errorf("failed to make a certificate: %w", err)
	}
	if err := p.writeServiceAccountKey(); err != nil {
		return fmt.Errorf("failed to make a key: %w", err)
	}
	if err := p.writeUsers(serving); err != nil {
		return fmt.Errorf("failed to write the users: %w", err)
	}
	return p.write("audit-policy.yaml", []byte(auditPolicy))
}

// writeCertificate makes the one certificate, which is its own authority, of the API server and of the node.
func (p *plan) writeCertificate() ([]byte, error) {
	ips := []net.IP{net.ParseIP(p.host()), net.ParseIP(serviceIP)}
	names := []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc"}
	certificate, key, err := cert.GenerateSelfSignedCertKey("localhost", ips, names)
	if err != nil {
		return nil, err
	}
	return certificate, errors.Join(p.write("serving.crt", certificate), p.write("serving.key", key))
}

func (p *plan) writeServiceAccountKey() error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	encoded, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return p.write("service-account.key", encoded)
}

func (p *plan) writeUsers(authority []byte) error {
	var tokens strings.Builder
	for _, u := range p.users() {
		token := rand.Text()
		fmt.Fprintf(&tokens, "%s,%s,%s,%q\n", token, u.name, u.name, u.group)
		config := clientcmdapi.NewConfig()
		config.Clusters["cluster"] = &clientcmdapi.Cluster{Server: "https://" + net.JoinHostPort(p.host(), strconv.Itoa(p.apiPort)), CertificateAuthorityData: authority}
		config.AuthInfos[u.name] = &clientcmdapi.AuthInfo{Token: token}
		config.Contexts["cluster"] = &clientcmdapi.Context{Cluster: "cluster", AuthInfo: u.name}
		config.CurrentContext = "cluster"
		if err := clientcmd.WriteToFile(*config, u.kubeconfig); err != nil {
			return err
		}
	}
	return p.write("tokens.csv", []byte(tokens.String()))
}

func (p *plan) write(name string, content []byte) error {
	return os.WriteFile(p.file(name), content, 0o600)
}
