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

package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// inTime runs a test in virtual time, in which the cluster's clock is ours.
func inTime(t *testing.T, screen Screen, test func(s *scene)) {
	synctest.Test(t, func(t *testing.T) {
		s := newSceneAt(t, screen, clock.RealClock{}, time.Now, two...)
		test(s)
	})
}

// renew has the holders renew all leases of the queues, every ten seconds.
func (s *scene) renew(ctx context.Context) {
	for ctx.Err() == nil {
		s.spreadAll("x7k2p", 10)
		if sleep(ctx, 10*time.Second) != nil {
			return
		}
	}
}

// output is what a command that runs has written.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// last is what was written since the last time.
func (o *output) last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.text.String()
	o.text.Reset()
	return text
}

// start runs a command until stop is called, which returns its exit status.
func (s *scene) start(args ...string) (out *output, stop func() int) {
	ctx, cancel := context.WithCancel(s.t.Context())
	out = &output{}
	o := s.options()
	o.Out = out
	ended := make(chan int, 1)
	go func() { ended <- Run(ctx, o, args) }()
	return out, func() int {
		cancel()
		return <-ended
	}
}

// TestObserve: a minute shows how late the holders renew.
func TestObserve(t *testing.T) {
	inTime(t, narrow, func(s *scene) {
		ctx, cancel := context.WithCancel(s.t.Context())
		defer cancel()
		go s.renew(ctx)
		synctest.Wait()
		began := time.Now()
		s.run(ctx, ExitOK, "status", "-o", "wide", "--observe", "1m5s")
		if took := time.Since(began); took < 65*time.Second || took > 66*time.Second {
			s.t.Errorf("took %s", took)
		}
		got := s.out.String()
		if strings.Contains(got, "Not known: ") || !strings.Contains(got, "eligible  ■■■■■■■■■■ 10") {
			s.t.Errorf("after a minute:\n%s", got)
		}
		if !strings.Contains(got, "30  0s") {
			s.t.Errorf("no lateness:\n%s", got)
		}
		s.out.Reset()
		s.run(ctx, ExitOK, "status", "-o", "wide")
		if got := s.out.String(); !strings.Contains(got, "Not known: how late the holders renew their leases") {
			s.t.Errorf("at first sight:\n%s", got)
		}
	})
}

// TestWatchLines: without a terminal, a line for each lease that changes hands.
func TestWatchLines(t *testing.T) {
	inTime(t, narrow, func(s *scene) {
		s.spreadAll("x7k2p", 10)
		out, stop := s.start("watch")
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		if got := out.last(); !strings.HasPrefix(got, "Deployment tekton-pipelines-controller: uneven") || strings.Contains(got, "->") {
			t.Errorf("at first:\n%s", got)
		}
		began := time.Now()
		s.hold("taskrun", 3, 10, "x7k2p")
		time.Sleep(time.Second)
		s.api.Seed(s.lease("taskrun", 3, 10, identity("9zq4c", "taskrun"), 0).Obj())
		time.Sleep(5 * time.Second)
		synctest.Wait()
		want := began.Format(time.TimeOnly) + "  taskrun/03  x7k2p -> (handover)\n" +
			began.Add(time.Second).Format(time.TimeOnly) + "  taskrun/03  (handover) -> 9zq4c\n"
		if got := out.last(); got != want {
			t.Errorf("got:\n%swant:\n%s", got, want)
		}
		if got := stop(); got != ExitOK {
			t.Errorf("exit status %d, want %d", got, ExitOK)
		}
	})
}

// TestWatchExpiry: a lease that nobody renews any more is nobody's.
func TestWatchExpiry(t *testing.T) {
	inTime(t, narrow, func(s *scene) {
		s.spread("taskrun", "x7k2p", 1)
		out, stop := s.start("watch")
		time.Sleep(65 * time.Second)
		synctest.Wait()
		if got := out.last(); !strings.Contains(got, "  taskrun/00  x7k2p -> (nobody)\n") {
			t.Errorf("got:\n%s", got)
		}
		stop()
	})
}

// TestWatchScreen: on a terminal the picture is drawn again in its place, and
// says it when the API server does not answer.
func TestWatchScreen(t *testing.T) {
	inTime(t, Screen{Width: 80, Unicode: true, Live: true}, func(s *scene) {
		var mu sync.Mutex
		away := false
		s.client = s.api.NewClient("tkn", leasestesting.ClientOptions{Fault: func(leasestesting.Request) leasestesting.Fault {
			mu.Lock()
			defer mu.Unlock()
			if away {
				return leasestesting.Fault{Err: errors.New("connection refused")}
			}
			return leasestesting.Fault{}
		}})
		outage := func(is bool) {
			mu.Lock()
			defer mu.Unlock()
			away = is
		}
		ctx, cancel := context.WithCancel(s.t.Context())
		go s.renew(ctx)
		synctest.Wait()
		out, stop := s.start("watch")
		time.Sleep(3500 * time.Millisecond)
		pictures := strings.Split(out.last(), "\x1b[H")
		if len(pictures) != 5 || pictures[0] != "" {
			t.Fatalf("%d pictures after 3.5 s, want 4 from the top of the screen: %q", len(pictures)-1, pictures)
		}
		golden(t, strings.NewReplacer("\x1b[K", "", "\x1b[J", "", time.Now().Format(time.TimeOnly), "NOW").Replace(pictures[3]))

		outage(true)
		s.client.BreakWatches()
		time.Sleep(40 * time.Second)
		if got := out.last(); !strings.Contains(got, "No answer from the API server since ") || !strings.Contains(got, "connection refused") {
			t.Errorf("nothing of the outage:\n%s", got)
		}
		outage(false)
		time.Sleep(time.Minute)
		s.api.Seed(s.lease("taskrun", 3, 10, identity("9zq4c", "taskrun"), 0).Obj())
		time.Sleep(2 * time.Second)
		pictures = strings.Split(out.last(), "\x1b[H")
		got := pictures[len(pictures)-1]
		if strings.Contains(got, "No answer") || !strings.Contains(got, "taskrun/03  x7k2p -> 9zq4c") {
			t.Errorf("after the outage:\n%s", got)
		}
		cancel()
		stop()
	})
}

// TestWatchGone: a Deployment that is deleted is said to be, and may come back.
func TestWatchGone(t *testing.T) {
	inTime(t, Screen{Width: 80, Unicode: true, Live: true}, func(s *scene) {
		s.spreadAll("x7k2p", 5, "9zq4c", 5)
		out, stop := s.start("watch")
		time.Sleep(1500 * time.Millisecond)
		out.last()
		if err := s.client.Kube().AppsV1().Deployments(leasestesting.Namespace).Delete(s.t.Context(), deployment, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if got := out.last(); !strings.Contains(got, "there is no Deployment "+deployment) {
			t.Errorf("after it was deleted:\n%s", got)
		}
		s.deploy(s.deployment)
		time.Sleep(2 * time.Second)
		if got := out.last(); !strings.HasSuffix(strings.TrimSpace(got), "\x1b[J") || !strings.Contains(got, "even") {
			t.Errorf("after it came back:\n%s", got)
		}
		stop()
	})
}

// TestRecord draws a handover.
func TestRecord(t *testing.T) {
	for _, kind := range []string{"svg", "html"} {
		t.Run(kind, func(t *testing.T) {
			inTime(t, narrow, func(s *scene) {
				s.spread("taskrun", "x7k2p", 2)
				s.api.Seed(s.lease("other", 0, 3, "somebody_else", 0).Obj())
				file := filepath.Join(s.t.TempDir(), "leadership."+kind)
				out, stop := s.start("record", "-o", file, "--for", "40s")
				time.Sleep(10 * time.Second)
				s.hold("taskrun", 0, 2, "x7k2p")
				time.Sleep(15 * time.Second)
				s.api.Seed(s.lease("taskrun", 0, 2, identity("9zq4c", "taskrun"), 0).Obj())
				time.Sleep(20 * time.Second)
				synctest.Wait()
				want := "Recorded 40s: 2 leases, 1 changed hands, longest time without a holder 15s. Written to " + file + ".\n"
				if got := out.last(); got != want {
					t.Errorf("said %q, want %q", got, want)
				}
				if got := stop(); got != ExitOK {
					t.Errorf("exit status %d", got)
				}
				raw, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, string(raw))
			})
		})
	}
}

// TestRecordNowhere: it is not first recorded what then cannot be written.
func TestRecordNowhere(t *testing.T) {
	inTime(t, narrow, func(s *scene) {
		s.spread("taskrun", "x7k2p", 2)
		began := time.Now()
		s.run(s.t.Context(), ExitError, "record", "-o", "no/such.svg", "--for", "1h")
		if got, want := s.errOut.String(), "no/such.svg cannot be written: no such file or directory"; !strings.Contains(got, want) {
			t.Errorf("said %q, want %q in it", got, want)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("recorded for %s", took)
		}
	})
}

// TestRecordInterrupted: what was recorded is drawn.
func TestRecordInterrupted(t *testing.T) {
	inTime(t, narrow, func(s *scene) {
		s.spread("taskrun", "x7k2p", 2)
		file := filepath.Join(s.t.TempDir(), "leadership.svg")
		out, stop := s.start("record", "-o", file, "--for", "1h")
		time.Sleep(10 * time.Second)
		if got := stop(); got != ExitOK {
			t.Errorf("exit status %d", got)
		}
		if got := out.last(); !strings.HasPrefix(got, "Recorded 10s: 2 leases, 0 changed hands") {
			t.Errorf("said %q", got)
		}
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	})
}
