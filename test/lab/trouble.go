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

import "time"

// slowAPI is a restart with each call taking long for a while, mostly during the handovers that follow.
func slowAPI(t *trial) {
	t.arrange(t.setting.Replicas)
	t.replace()
	time.Sleep(t.draw(0, t.lease+window, "slowness begins"))
	lasts := t.draw(t.lease, 5*t.lease, "slowness")
	// A renewal is seen late by two calls, of which the margin is three times; then a release and a try take two each.
	t.gapLimit = t.trouble() + 10*t.slow().High
	t.Disturb(Everybody, Slow(t.slow()), lasts)
	time.Sleep(lasts)
	t.settle()
}

// slow is what a call takes when the API server is slow: half of a retry period at the most, and never more than 5 s.
func (t *trial) slow() Range {
	return Range{t.retry / 20, min(t.retry/2, 5*time.Second)}
}

// outage is a restart with the API server away for a while, mostly during the handovers that follow.
func outage(t *trial) {
	t.arrange(t.setting.Replicas)
	t.replace()
	time.Sleep(t.draw(0, t.lease+window, "outage begins"))
	lasts := t.draw(5*time.Second, 2*t.lease, "outage")
	// Nobody can release or acquire anything while it lasts.
	t.gapLimit = t.trouble() + lasts
	t.Disturb(Everybody, Refused(), lasts)
	time.Sleep(lasts)
	t.settle()
}

// lostAnswers is a restart in a network that loses every third answer to our controller during the handovers that follow.
// Not those to the electors: one that never hears that it has released a lease leads on, and so makes two leaders also
// without us.
func lostAnswers(t *trial) {
	t.arrange(t.setting.Replicas)
	t.replace()
	// Our controller waits five seconds for an answer, and may have to do so a few times in a row.
	t.gapLimit = t.trouble() + 30*time.Second
	lasts := 3 * t.lease
	t.Disturb(Ours, Lossy(0.3), lasts)
	time.Sleep(lasts)
	t.settle()
}

// ourCrash is a restart in which our controller dies at one of the writes that follow, and is started again after a
// while.
func ourCrash(t *trial) {
	t.gapLimit = t.trouble()
	moment := []Moment{Unsent, Unanswered, Answered}[t.pick(3, "moment")]
	var dying *Controller
	t.ours = func() { dying = t.StartController(DiesAt(1+t.pick(3*t.setting.Buckets, "write"), moment)) }
	t.arrange(t.setting.Replicas)
	t.replace()
	t.until(t.patience, func() bool { return dying.Died() || t.even() })
	if dying.Died() {
		time.Sleep(t.draw(0, t.lease, "down"))
		t.StartController()
	}
	t.settle()
}

// twoOfUs is a restart with two controllers that both act, which only a mistake can bring about.
func twoOfUs(t *trial) {
	t.ours = func() {
		t.StartController(Unelected)
		time.Sleep(t.draw(0, 10*time.Second, "second of us"))
		t.StartController(Unelected)
	}
	t.arrange(t.setting.Replicas)
	t.replace()
	t.settle()
}
