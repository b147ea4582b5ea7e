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

package handover

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// story is a whole handover, looked at each second as the reconciler does.
type story struct {
	begin func(*testing.T) *bench
	// events are what others do, by second.
	events map[int]func(*bench)
	// facts are what is known at a second, apart from the lease.
	facts func(second int, f *Facts)
	// fails are the seconds at which no call gets through.
	fails func(second int) bool
	// want are the calls that were made, and how it ended.
	want    []string
	outcome Outcome
}

// play runs a story to its end. At no time may a candidate that watches the
// lease be free to take it while the old holder may still lead.
func (s story) play(t *testing.T) {
	t.Helper()
	b := s.begin(t)
	second, changed, version := 0, at(0), b.lease().ResourceVersion
	b.fault = func(leasestesting.Request) leasestesting.Fault {
		if s.fails != nil && s.fails(second) {
			return leasestesting.Fault{Err: errNetwork}
		}
		return leasestesting.Fault{}
	}
	var got []string
	for second = 1; second < 400; second++ {
		if event := s.events[second]; event != nil {
			event(b)
		}
		f := b.facts()
		if s.facts != nil {
			s.facts(second, &f)
		}
		if d := b.Next(at(float64(second)), f); d.Action != Wait {
			err := b.Do(t.Context(), b.c, at(float64(second)), d)
			got = append(got, fmt.Sprintf("%d %s%s", second, d.Action, failed(err)))
		}
		lease := b.lease()
		if lease != nil && lease.ResourceVersion != version {
			changed, version = at(float64(second)), lease.ResourceVersion
		}
		if lease != nil && b.Step() == Held && at(float64(second)).Sub(changed) >= seconds(lease) {
			t.Errorf("at %ds: the hold of %s is %s old, anybody may take it", second, seconds(lease), at(float64(second)).Sub(changed))
		}
		if o, ended := b.Outcome(); ended {
			if diff := cmp.Diff(s.outcome, o); diff != "" {
				t.Errorf("outcome (-want, +got):\n%s", diff)
			}
			break
		}
	}
	if diff := cmp.Diff(s.want, got); diff != "" {
		t.Errorf("calls (-want, +got):\n%s", diff)
	}
}

func failed(err error) string {
	if err != nil {
		return " fails"
	}
	return ""
}

// proven are the signs of life of a holder that renews every 10 s from 4 s on.
func proven(second int, f *Facts) {
	for s := 4; s <= second; s += 10 {
		f.Alive = append(f.Alive, sign(float64(s)))
	}
}

func comes(identity string) func(*bench) {
	return func(b *bench) { b.wrote(identity, stamp.Add(time.Hour)) }
}

func TestStories(t *testing.T) {
	stories := map[string]story{
		"the target is known": {
			begin: newBench, facts: proven,
			events:  map[int]func(*bench){66: comes(target.Identity)},
			want:    []string{"1 hold", "47 extend", "53 extend", "54 assign", "66 finish"},
			outcome: Outcome{Result: Done, By: target.Identity, Took: 65 * time.Second, Gap: 16 * time.Second},
		},
		"the target becomes known": {
			begin: newBench,
			facts: func(second int, f *Facts) {
				if proven(second, f); second < 61 {
					f.Target = unknown
				}
			},
			events:  map[int]func(*bench){75: comes(target.Identity)},
			want:    []string{"1 hold", "47 extend", "53 extend", "54 release", "61 create", "75 finish"},
			outcome: Outcome{Result: Done, By: target.Identity, Took: 74 * time.Second, Gap: 25 * time.Second},
		},
		"the target does not come": {
			begin: newBench, facts: proven,
			events:  map[int]func(*bench){90: func(b *bench) { b.create(stranger) }},
			want:    []string{"1 hold", "47 extend", "53 extend", "54 assign", "78 release", "90 finish"},
			outcome: Outcome{Result: Done, By: stranger, Took: 89 * time.Second, Gap: 40 * time.Second},
		},
		"no proof ever comes": {
			begin: newBench,
			want: []string{
				"1 hold", "47 extend", "53 extend", "59 extend", "65 extend", "71 extend", "77 extend", "83 extend", "89 extend",
				"92 assign", "100 finish",
			},
			events:  map[int]func(*bench){100: comes(target.Identity)},
			outcome: Outcome{Result: Done, By: target.Identity, Took: 99 * time.Second, Gap: 50 * time.Second},
		},
		"the old holder dies": {
			begin:   newBench,
			facts:   func(second int, f *Facts) { f.Dead = second >= 7 },
			events:  map[int]func(*bench){20: comes(target.Identity)},
			want:    []string{"1 hold", "7 assign", "20 finish"},
			outcome: Outcome{Result: Done, By: target.Identity, Took: 19 * time.Second},
		},
		"a rollout begins": {
			begin:   newBench,
			facts:   func(second int, f *Facts) { f.Cancel = second >= 30 },
			want:    []string{"1 hold", "30 give-back"},
			outcome: Outcome{Result: GivenBack, By: oldHolder.Identity, Took: 29 * time.Second},
		},
		"a rollout deletes the old holder first": {
			begin: newBench,
			facts: func(second int, f *Facts) {
				proven(second, f)
				f.Cancel, f.FromThere = second >= 30, second < 30
			},
			events:  map[int]func(*bench){60: func(b *bench) { b.create(stranger) }},
			want:    []string{"1 hold", "47 extend", "53 extend", "54 release", "60 finish"},
			outcome: Outcome{Result: Done, By: stranger, Took: 59 * time.Second, Gap: 10 * time.Second},
		},
		"somebody deletes the lease in the middle": {
			begin:   newBench,
			events:  map[int]func(*bench){20: (*bench).remove},
			want:    []string{"1 hold", "20 finish"},
			outcome: Outcome{Result: Interrupted, Took: 19 * time.Second, Overlap: 30 * time.Second},
		},
		"the API server is away when it is to be assigned": {
			begin: newBench, facts: proven,
			fails: func(second int) bool { return second >= 54 && second < 60 },
			want: []string{
				"1 hold", "47 extend", "53 extend", "54 assign fails", "55 read fails", "56 read fails", "57 read fails",
				"58 read fails", "59 read fails", "60 read", "61 assign", "70 finish",
			},
			events:  map[int]func(*bench){70: comes(target.Identity)},
			outcome: Outcome{Result: Done, By: target.Identity, Took: 69 * time.Second, Gap: 20 * time.Second},
		},
		"the API server is away when the hold is to be extended": {
			begin: newBench,
			fails: func(second int) bool { return second >= 47 && second < 50 },
			want: []string{
				"1 hold", "47 extend fails", "48 read fails", "49 read fails", "50 read", "51 extend", "52 finish",
			},
			events:  map[int]func(*bench){52: comes(stranger)},
			outcome: Outcome{Result: Interrupted, By: stranger, Took: 51 * time.Second},
		},
		"deleted at once": {
			begin:   newAbruptBench,
			events:  map[int]func(*bench){5: func(b *bench) { b.create(target.Identity) }},
			want:    []string{"1 release", "5 finish"},
			outcome: Outcome{Result: Done, By: target.Identity, Took: 4 * time.Second, Overlap: 45 * time.Second},
		},
		"deleted and nobody comes": {
			begin: newAbruptBench, want: []string{"1 release", "89 finish"},
			outcome: Outcome{Result: Abandoned, Took: 88 * time.Second},
		},
	}
	for name, s := range stories {
		t.Run(name, s.play)
	}
}
