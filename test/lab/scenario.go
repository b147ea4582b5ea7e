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

package lab

import (
	"time"
)

// scenarios are what the rows of the table are made of, by name.
var scenarios = map[string]func(*trial){
	"cold start":       coldStart,
	"restart":          restart,
	"killed":           killed,
	"scale out and in": scaleOutAndIn,
	"rolling update":   rollingUpdate,
	"flapping":         flapping,
	"slow API":         slowAPI,
	"API outage":       outage,
	"lost answers":     lostAnswers,
	"our crash":        ourCrash,
	"two of us":        twoOfUs,
}

// coldStart starts everything at about the same time.
func coldStart(t *trial) {
	t.us()
	t.setReplicas(t.setting.Replicas)
	t.Start(1)
	time.Sleep(t.draw(0, 15*time.Second, "second replica"))
	t.Start(t.setting.Replicas - 1)
	t.uneven()
	t.settle()
}

// restart stops a replica of an even spread cleanly; when the others have taken over what it led, another one comes in
// its place.
func restart(t *trial) {
	t.arrange(t.setting.Replicas)
	t.replace()
	t.settle()
}

// replace is a restart up to the moment when the new replica is Ready.
func (t *trial) replace() {
	t.Stop(t.one())
	t.until(2*t.lease, t.led)
	t.Start(1)
	t.uneven()
}

// killed kills a replica's process; its container restarts in place.
func killed(t *trial) {
	t.doublings = 1
	t.arrange(t.setting.Replicas)
	t.Restart(t.one(), t.draw(0, 5*time.Second, "report"))
	t.uneven()
	t.settle()
}

// scaleOutAndIn doubles the replicas, and halves them again.
func scaleOutAndIn(t *trial) {
	t.doublings = 1
	few, many := (t.setting.Replicas+1)/2, t.setting.Replicas
	t.arrange(few)
	for _, n := range []int{many, few} {
		t.Scale(n)
		t.uneven()
		t.settle()
		time.Sleep(t.draw(0, t.lease, "pause"))
	}
}

// rollingUpdate replaces all replicas one by one.
func rollingUpdate(t *trial) {
	t.arrange(t.setting.Replicas)
	t.Rollout()
	t.uneven()
	t.settle()
}

// flapping kills the same replica again and again.
func flapping(t *trial) {
	t.doublings = 3
	t.arrange(t.setting.Replicas)
	r := t.one()
	for _, pause := range []string{"first", "second", "third"} {
		t.Restart(r, t.draw(0, 5*time.Second, pause+" report"))
		time.Sleep(t.draw(0, 2*t.lease, pause))
	}
	t.uneven()
	t.settle()
}

// arrange starts n replicas with an even spread, then our controller, and lets them renew their leases for a while.
func (t *trial) arrange(n int) {
	spread := make([][]int, len(Queues))
	extra := 0
	for q := range spread {
		spread[q] = make([]int, n)
		for i := range spread[q] {
			spread[q][i] = t.setting.Buckets / n
		}
		for range t.setting.Buckets % n {
			spread[q][extra%n]++
			extra++
		}
	}
	t.Arrange(spread...)
	t.us()
	time.Sleep(t.draw(t.retry, 3*t.retry, "begin"))
}

// one is one of the replicas.
func (t *trial) one() *Replica {
	replicas := t.Replicas()
	return replicas[t.pick(len(replicas), "one")]
}
