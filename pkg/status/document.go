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

package status

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const (
	// ConfigMapName is the ConfigMap that the leases controller shows its status
	// in.
	ConfigMapName = "leases-controller-status"
	// Key is where in it the document is.
	Key = "status"
	// MaxSize bounds the document: a ConfigMap may have 1 MiB.
	MaxSize = 900 << 10
)

// Document is the status as the ConfigMap has it: the leases of each queue are
// summed up, since whoever wants them can look at them, and what changes without
// anything happening is left out. Where it would be too long, it goes without the
// lists of single leases.
func (s Status) Document() (string, error) {
	for _, sum := range []func(Deployment) Deployment{compact, terse} {
		s.Deployments = each(s.Deployments, sum)
		text, err := yaml.Marshal(s)
		if err != nil {
			return "", fmt.Errorf("failed to write the status: %w", err)
		}
		if len(text) <= MaxSize {
			return string(text), nil
		}
	}
	return "", fmt.Errorf("the status has more than %d bytes even without its leases", MaxSize)
}

// Same tells whether two would make the same document, but for their time.
func Same(a, b Status) bool {
	a.Time, b.Time = metav1.Time{}, metav1.Time{}
	a.Deployments, b.Deployments = each(a.Deployments, compact), each(b.Deployments, compact)
	one, err := json.Marshal(a)
	other, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(one) == string(other)
}

// NewConfigMap is the ConfigMap as it is created. It is no part of
// tekton-pipelines: a webhook of Tekton's would check each write of it. Nobody
// owns it: a pause in it has to outlive the Deployment of the leases controller.
func NewConfigMap(document string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name:   ConfigMapName,
			Labels: map[string]string{"app.kubernetes.io/name": "leases-controller", "app.kubernetes.io/component": "leases-controller"},
		},
		Data: map[string]string{Key: document},
	}
}

// FromConfigMap reads the document. The error says why it cannot be used.
func FromConfigMap(cm *corev1.ConfigMap) (Status, error) {
	var s Status
	if err := yaml.Unmarshal([]byte(cm.Data[Key]), &s); err != nil {
		return Status{}, fmt.Errorf("key %s of ConfigMap %s cannot be read: %w", Key, cm.Name, err)
	}
	if s.APIVersion != APIVersion || s.Kind != Kind {
		return Status{}, fmt.Errorf("key %s of ConfigMap %s is a %q of version %q, want %s of %s", Key, cm.Name, s.Kind, s.APIVersion, Kind, APIVersion)
	}
	return s, nil
}

func each(all []Deployment, change func(Deployment) Deployment) []Deployment {
	changed := make([]Deployment, 0, len(all))
	for _, d := range all {
		changed = append(changed, change(d))
	}
	return changed
}

// compact sums the leases of a Deployment up.
func compact(d Deployment) Deployment {
	moves, stays := d.Moves(), d.Stays()
	queues := make([]Queue, 0, len(d.Queues))
	for _, q := range d.Queues {
		if q.Leases != nil {
			q.Leases, q.Moves, q.Stays = nil, nil, nil
			for _, m := range moves {
				if m.Queue == q.Name {
					q.Moves = append(q.Moves, m)
				}
			}
			for _, s := range stays {
				if s.Queue == q.Name {
					q.Stays = append(q.Stays, s)
				}
			}
		}
		queues = append(queues, q)
	}
	replicas := make([]Replica, 0, len(d.Replicas))
	for _, r := range d.Replicas {
		r.Lateness = ""
		replicas = append(replicas, r)
	}
	d.Queues, d.Replicas, d.Unseen = queues, replicas, 0
	return d
}

// terse is a compact Deployment without what is there once per lease.
func terse(d Deployment) Deployment {
	d.Truncated = true
	d.Handovers, d.Recent, d.Muted = nil, nil, nil
	for i := range d.Queues {
		q := &d.Queues[i]
		for k := range q.Moves {
			q.Moves[k].Buckets = nil
		}
		for k := range q.Stays {
			q.Stays[k].Buckets = nil
		}
	}
	return d
}
