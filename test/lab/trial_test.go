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
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
	"github.com/tektoncd/leases-controller/test/lab/record"
)

var (
	runs    = flag.Int("runs", 1, "TestRuns: how many runs of the first row of the table")
	shard   = flag.String("shard", "1/1", "TestRuns: which part of the runs to make")
	records = flag.String("records", "", "TestRuns: the file to write the records to")
	repeat  = flag.String("repeat", "", "TestRepeat: the run to make, as hack/lab.sh names it")
)

// TestRuns makes the runs of the table: hack/lab.sh starts one such process for each core.
func TestRuns(t *testing.T) {
	if *records == "" {
		t.Skip("makes the runs of hack/lab.sh")
	}
	out, err := os.Create(*records)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var part, parts int
	if _, err := fmt.Sscanf(*shard, "%d/%d", &part, &parts); err != nil {
		t.Fatalf("failed to read the shard %q: %v", *shard, err)
	}
	plan := record.Plan(*runs, *firstSeed)
	for i, setting := range plan {
		if i%parts != part-1 {
			continue
		}
		t.Run(setting.String(), func(t *testing.T) {
			if err := Trial(t, setting, false).Write(out); err != nil {
				t.Fatal(err)
			}
		})
		if part == 1 && i*20/len(plan) != (i+parts)*20/len(plan) {
			fmt.Fprintf(os.Stderr, "%3d %% of %d runs\n", min(100, (i+parts)*100/len(plan)), len(plan))
		}
	}
}

// TestRepeat makes one run and shows what happened.
func TestRepeat(t *testing.T) {
	if *repeat == "" {
		t.Skip("repeats a run of hack/lab.sh")
	}
	setting, err := record.Parse(*repeat)
	if err != nil {
		t.Fatal(err)
	}
	kept(t, Trial(t, setting, true))
}

// TestTrial wants the figures of what is known to happen.
func TestTrial(t *testing.T) {
	cases := map[string]struct {
		setting string
		want    func(r record.Record) bool
	}{
		"handovers leave gaps, one for each lease": {
			"strategy=handover",
			func(r record.Record) bool {
				return r.Handovers >= 15 && len(r.Gaps) == r.Handovers && within(r.Gaps, 0, 36) && within(r.TwoLeaders, 0, 0) &&
					len(r.TwoLeaders) == 15 && r.Writes > 2*r.Handovers
			},
		},
		"deletions leave two leaders": {
			"strategy=delete",
			func(r record.Record) bool {
				return r.Handovers >= 15 && len(r.Gaps) == 0 && within(r.TwoLeaders, 39, 200) && r.MostTwoLeaders >= 39
			},
		},
		"without us nothing moves": {
			"strategy=none",
			func(r record.Record) bool {
				return r.Handovers == 0 && r.Writes == 0 && len(r.Gaps) == 0 && len(r.TwoLeaders) == 0 && r.MostTwoLeaders == 0 &&
					len(r.OtherGaps) == 15 && within(r.OtherGaps, 0, 23) && r.Needed == 15 && r.Unsettled == 1
			},
		},
		"who is killed leaves gaps that are not ours": {
			"scenario=killed strategy=none",
			func(r record.Record) bool { return len(r.OtherGaps) == 15 && within(r.OtherGaps, 50, 93) },
		},
		"one bucket is never moved": {
			"buckets=1",
			func(r record.Record) bool { return r.Handovers == 0 && r.Needed == 0 && r.Unsettled == 0 },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			setting, err := record.Parse(fmt.Sprintf("%s seed=%d", tc.setting, *firstSeed))
			if err != nil {
				t.Fatal(err)
			}
			r := Trial(t, setting, false)
			kept(t, r)
			if !tc.want(r) {
				t.Errorf("unexpected figures: %+v", r)
			}
		})
	}
}

// within tells whether all measurements are in the range.
func within(all []float64, low, high float64) bool {
	return !slices.ContainsFunc(all, func(s float64) bool { return s < low || s > high })
}

// TestMeasure does by hand what must be in the figures, and in the promises that were not kept.
func TestMeasure(t *testing.T) {
	cases := map[string]struct {
		do     func(t *trial, lease *coordinationv1.Lease)
		want   func(r record.Record) bool
		broken string
	}{
		"nothing": {
			do:   func(*trial, *coordinationv1.Lease) {},
			want: func(r record.Record) bool { return len(r.Gaps)+len(r.OtherGaps)+r.Handovers == 0 },
		},
		"a lease is given to another replica while its holder leads": {
			do: func(t *trial, lease *coordinationv1.Lease) {
				lease.Spec.HolderIdentity = ptr.To(t.Replicas()[1].identity(Queues[0]))
				_, err := ourLeases(t).Update(t.ctx, lease, metav1.UpdateOptions{})
				t.try(err)
			},
			want: func(r record.Record) bool {
				return r.Handovers == 1 && r.MostTwoLeaders > 39 && r.MostTwoLeaders < 51 && len(r.Gaps) == 0
			},
			broken: OneLeader,
		},
		"a hold that lasts": {
			do:     func(t *trial, lease *coordinationv1.Lease) { hold(t.Lab, ourLeases(t), lease, 300) },
			want:   func(r record.Record) bool { return r.Handovers == 1 && len(r.Gaps) == 1 && len(r.OtherGaps) == 0 },
			broken: "nobody led",
		},
		"a replica vanishes": {
			do:   func(t *trial, _ *coordinationv1.Lease) { t.Vanish(t.Replicas()[0]) },
			want: func(r record.Record) bool { return r.Handovers == 0 && len(r.Gaps) == 0 && within(r.OtherGaps, 50, 93) },
		},
		"a spread that stays uneven": {
			do: func(t *trial, _ *coordinationv1.Lease) {
				t.patience = time.Minute
				t.uneven()
				t.settle()
			},
			want:   func(r record.Record) bool { return r.Needed == 15 && r.Unsettled == 1 && len(r.Settle) == 0 },
			broken: "not even",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tr, err := newTrial(record.Rows()[0].Draw(*firstSeed))
			if err != nil {
				t.Fatal(err)
			}
			tr.carryOut(t, func(tr *trial) {
				tr.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
				time.Sleep(time.Minute)
				lease, err := ourLeases(tr).Get(tr.ctx, tr.Group(Queues[0]).Name(0), metav1.GetOptions{})
				tr.try(err)
				tc.do(tr, lease)
				time.Sleep(2 * time.Minute)
			})
			if !tc.want(tr.out) {
				t.Errorf("unexpected figures: %+v", tr.out)
			}
			switch broken := strings.Join(tr.out.Broken, "\n"); {
			case tc.broken == "" && broken != "":
				t.Errorf("unexpected: %s", broken)
			case !strings.Contains(broken, tc.broken):
				t.Errorf("broken promises are %q, want %q among them", broken, tc.broken)
			}
		})
	}
}

// ourLeases writes leases as our controller does.
func ourLeases(t *trial) coordinationclient.LeaseInterface {
	return t.API.NewClient(controllerName, leasestesting.ClientOptions{}).Kube().CoordinationV1().Leases(leasestesting.Namespace)
}

// TestSharedLeaders: who was asked to stop leads no more.
func TestSharedLeaders(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	cases := map[string]struct {
		stopped map[string]time.Time
		leaders []string
		want    time.Duration
	}{
		"two":                            {leaders: []string{"a", "b"}, want: 10 * time.Second},
		"one was asked to stop before":   {map[string]time.Time{"a": at(90)}, []string{"a", "b"}, 0},
		"one was asked to stop meantime": {map[string]time.Time{"a": at(104)}, []string{"a", "b"}, 4 * time.Second},
		"two of three were asked to stop": {
			map[string]time.Time{"a": at(104), "c": at(106)}, []string{"a", "b", "c"}, 6 * time.Second,
		},
		"one is asked to stop later": {map[string]time.Time{"a": at(111)}, []string{"a", "b"}, 10 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tr := &trial{Lab: &Lab{processes: map[string]*process{}}}
			for _, leader := range tc.leaders {
				tr.processes[leader] = &process{stopped: tc.stopped[leader]}
			}
			got := tr.shared(Interval{From: at(100), To: at(110), Leaders: tc.leaders})
			if got != tc.want {
				t.Errorf("shared for %v, want %v", got, tc.want)
			}
		})
	}
}

// kept checks that each promise was.
func kept(t *testing.T, r record.Record) {
	t.Helper()
	for _, broken := range r.Broken {
		t.Errorf("%s: %s", r.Setting, broken)
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", line)
}

// TestScenarioNames holds the table and the lab to the same scenarios.
func TestScenarioNames(t *testing.T) {
	want, got := slices.Sorted(slices.Values(record.Scenarios)), slices.Sorted(maps.Keys(scenarios))
	if !slices.Equal(want, got) {
		t.Errorf("scenarios = %q, want %q", got, want)
	}
}

// TestScenarios is the short form of the table: each scenario with a fixed seed and a random one.
func TestScenarios(t *testing.T) {
	random := rand.Int64N(1e6) // any will do: the subtest has it in its name
	for _, row := range record.Rows() {
		if row.Strategy != record.Handover || row.Timings != record.Tekton {
			continue
		}
		for _, seed := range []int64{*firstSeed, random} {
			setting := small(row, seed)
			t.Run(setting.String(), func(t *testing.T) { kept(t, Trial(t, setting, false)) })
		}
	}
}

// small is the first run of the row from the seed on that does not take long.
func small(row record.Row, seed int64) record.Setting {
	for ; ; seed++ {
		if setting := row.Draw(seed); setting.Replicas <= 5 {
			return setting
		}
	}
}
