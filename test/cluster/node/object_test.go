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

package node

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/cert"
)

func TestNodeIsReadyForPods(t *testing.T) {
	n := object(12345)
	for _, c := range n.Status.Conditions {
		if want := c.Type == corev1.NodeReady; (c.Status == corev1.ConditionTrue) != want {
			t.Errorf("condition %s is %s", c.Type, c.Status)
		}
	}
	if got := n.Status.DaemonEndpoints.KubeletEndpoint.Port; got != 12345 {
		t.Errorf("logs are asked for at port %d, want 12345", got)
	}
	if got := n.Status.Addresses[0]; got.Type != corev1.NodeInternalIP || got.Address != "127.0.0.1" {
		t.Errorf("logs are asked for at %s %s, want the loopback", got.Type, got.Address)
	}
}

func writePair(t *testing.T) (certificate, key string) {
	t.Helper()
	certificatePEM, keyPEM, err := cert.GenerateSelfSignedCertKey("localhost", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "crt"), filepath.Join(dir, "key")
	for path, text := range map[string][]byte{certificate: certificatePEM, key: keyPEM} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

func TestOnlyTheAPIServerReadsLogs(t *testing.T) {
	certificate, key := writePair(t)
	config, err := mutual(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "log") }))
	server.TLS = config
	server.StartTLS()
	defer server.Close()

	otherCertificate, otherKey := writePair(t)
	cases := map[string]struct {
		certificate, key string
		admitted         bool
	}{
		"the API server": {certificate, key, true},
		"another":        {otherCertificate, otherKey, false},
		"nobody":         {"", "", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			trusted := x509.NewCertPool()
			trusted.AddCert(server.Certificate())
			config := &tls.Config{RootCAs: trusted, InsecureSkipVerify: true} // the API server trusts any node, too
			if tc.certificate != "" {
				pair, err := tls.LoadX509KeyPair(tc.certificate, tc.key)
				if err != nil {
					t.Fatal(err)
				}
				config.Certificates = []tls.Certificate{pair}
			}
			client := http.Client{Transport: &http.Transport{TLSClientConfig: config}}
			response, err := client.Get(server.URL)
			if admitted := err == nil; admitted != tc.admitted {
				t.Fatalf("got error %v, want admission to be %v", err, tc.admitted)
			}
			if err != nil {
				return
			}
			defer response.Body.Close()
			if text, _ := io.ReadAll(response.Body); !strings.Contains(string(text), "log") {
				t.Errorf("got %q, want the log", text)
			}
		})
	}
}
