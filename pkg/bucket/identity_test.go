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

package bucket_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

func TestParseIdentity(t *testing.T) {
	for name, tc := range map[string]struct {
		in      string
		want    bucket.Identity
		wantErr string
	}{
		"an elector's": {
			in:   "tekton-pipelines-controller-7d9f8-x2x7q_2f0f3a52-7a4e-4c3b-9d55-0f4c9c1f2f10",
			want: bucket.Identity{Hostname: "tekton-pipelines-controller-7d9f8-x2x7q", UID: "2f0f3a52-7a4e-4c3b-9d55-0f4c9c1f2f10"},
		},
		"the first separator counts": {in: "pod_10.0.0.1_a", want: bucket.Identity{Hostname: "pod", UID: "10.0.0.1_a"}},
		"no uid":                     {in: "pod_", want: bucket.Identity{Hostname: "pod"}},
		"empty":                      {in: "", wantErr: `"" is no identity of an elector: want <hostname>_<uid>`},
		"no separator":               {in: "pod", wantErr: `"pod" is no identity of an elector: want <hostname>_<uid>`},
		"no hostname":                {in: "_uid", wantErr: `"_uid" is no identity of an elector: want <hostname>_<uid>`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := bucket.ParseIdentity(tc.in)
			if tc.wantErr != "" {
				if err == nil || err.Error() != tc.wantErr {
					t.Fatalf("ParseIdentity() = %v, want %s", err, tc.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal("ParseIdentity() =", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("ParseIdentity() (-want, +got):", diff)
			}
		})
	}
}

func FuzzParseIdentity(f *testing.F) {
	for _, in := range []string{"pod_uid", "pod_a_b", "pod", "_", "", "\xff_\x00"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if got, err := bucket.ParseIdentity(in); err == nil && got.String() != in {
			t.Errorf("ParseIdentity(%q) formats as %q", in, got)
		}
	})
}

func TestOwnIdentity(t *testing.T) {
	if got, want := bucket.NewOwnIdentity("1234"), "tekton-leases-controller_1234"; got != want {
		t.Errorf("NewOwnIdentity() = %q, want %q", got, want)
	}
	for name, tc := range map[string]struct {
		identity string
		want     bool
	}{
		"a hold":                     {identity: bucket.NewOwnIdentity("1234"), want: true},
		"a hold of another instance": {identity: "tekton-leases-controller_5678", want: true},
		"our own election":           {identity: "tekton-leases-controller-6c8d9-abcde_1234"},
		"an elector of Tekton":       {identity: "tekton-pipelines-controller-7d9f8-x2x7q_1234"},
		"nobody":                     {identity: ""},
		"no separator":               {identity: "tekton-leases-controller"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bucket.IsOwn(tc.identity); got != tc.want {
				t.Errorf("IsOwn(%q) = %t, want %t", tc.identity, got, tc.want)
			}
		})
	}
}

func TestHostnameOf(t *testing.T) {
	for identity, want := range map[string]string{
		"controller-abc_0123": "controller-abc",
		"a_b_c":               "a",
		"_0123":               "",
		"controller":          "",
		"":                    "",
	} {
		if got := bucket.HostnameOf(identity); got != want {
			t.Errorf("HostnameOf(%q) = %q, want %q", identity, got, want)
		}
	}
}
