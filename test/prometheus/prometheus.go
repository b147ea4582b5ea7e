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

// Package prometheus runs a real Prometheus on loopback for tests, asks it, and
// draws its answers.
package prometheus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Server is a Prometheus that runs until its context ends.
type Server struct {
	dir, address string
	ended        chan struct{}
}

// Target is where something is scraped, with the labels that its series get.
type Target struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

// startTimeout is how long it may take until it serves.
const startTimeout = time.Minute

// Start runs the program with data below dir, and the rules of a file. It scrapes
// and evaluates every second what Scrape names. Errors contain its last words.
func Start(ctx context.Context, program, dir, rules string) (*Server, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("failed to find a free port: %w", err)
	}
	s := &Server{dir: dir, address: free.Addr().String(), ended: make(chan struct{})}
	_ = free.Close()
	config := fmt.Sprintf(`{"global":{"scrape_interval":"1s","scrape_timeout":"1s","evaluation_interval":"1s"},"rule_files":[%q],`+
		`"scrape_configs":[{"job_name":"tekton-leases-controller","file_sd_configs":[{"files":[%q],"refresh_interval":"1s"}]}]}`,
		rules, s.targets())
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yaml"), []byte(config), 0o600); err != nil {
		return nil, fmt.Errorf("failed to write the configuration: %w", err)
	}
	if err := s.Scrape(); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "prometheus.log"))
	if err != nil {
		return nil, fmt.Errorf("failed to make the log: %w", err)
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, program, "--config.file="+filepath.Join(dir, "prometheus.yaml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+s.address)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("failed to start Prometheus: %w", err)
	}
	go func() {
		_ = cmd.Wait() // it is killed with the context
		close(s.ended)
	}()
	return s, s.waitReady(ctx)
}

// Wait returns when it has ended.
func (s *Server) Wait() { <-s.ended }

// Address is where it serves.
func (s *Server) Address() string { return s.address }

func (s *Server) targets() string { return filepath.Join(s.dir, "targets.json") }

// Scrape makes it scrape these targets from now on, and no others.
func (s *Server) Scrape(targets ...Target) error {
	text, err := json.Marshal(append([]Target{}, targets...))
	if err != nil {
		return fmt.Errorf("failed to encode the targets: %w", err)
	}
	next := s.targets() + ".next" // it must not read half of it
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return fmt.Errorf("failed to write the targets: %w", err)
	}
	return os.Rename(next, s.targets())
}

// waitReady returns when it serves.
func (s *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if body, err := s.get(ctx, "/-/ready", nil); err == nil {
			_ = body.Close()
			return nil
		}
		select {
		case <-s.ended:
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
			continue
		}
		words, _ := os.ReadFile(filepath.Join(s.dir, "prometheus.log"))
		return fmt.Errorf("failed to start Prometheus: %w\n%s", errors.Join(ctx.Err(), errors.New("it does not serve")), words)
	}
}

// Series are the values of one set of labels over time.
type Series struct {
	Labels map[string]string
	Points []Point
}

// Point is a value at a time.
type Point struct {
	Time  time.Time
	Value float64
}

// Last is the last value, NaN if there is none.
func (s Series) Last() float64 {
	if len(s.Points) == 0 {
		return math.NaN()
	}
	return s.Points[len(s.Points)-1].Value
}

// Query evaluates an expression now.
func (s *Server) Query(ctx context.Context, expr string) ([]Series, error) {
	return s.ask(ctx, "/api/v1/query", url.Values{"query": {expr}})
}

// QueryRange evaluates an expression at each second from one time to another.
func (s *Server) QueryRange(ctx context.Context, expr string, from, to time.Time) ([]Series, error) {
	return s.ask(ctx, "/api/v1/query_range", url.Values{
		"query": {expr}, "start": {from.Format(time.RFC3339)}, "end": {to.Format(time.RFC3339)}, "step": {"1s"},
	})
}

// answer is what its API returns for a query.
type answer struct {
	Status string `json:"status"`
	Error  string `json:"error"`
	Data   struct {
		Result []struct {
			Metric map[string]string `json:"metric"`
			Value  []any             `json:"value"`
			Values [][]any           `json:"values"`
		} `json:"result"`
	} `json:"data"`
}

func (s *Server) ask(ctx context.Context, path string, query url.Values) ([]Series, error) {
	body, err := s.get(ctx, path, query)
	if err != nil {
		return nil, fmt.Errorf("failed to ask for %s: %w", query.Get("query"), err)
	}
	defer body.Close()
	return decode(body)
}

// decode reads the answer to a query.
func decode(body io.Reader) ([]Series, error) {
	var a answer
	if err := json.NewDecoder(body).Decode(&a); err != nil {
		return nil, fmt.Errorf("failed to read the answer: %w", err)
	}
	if a.Status != "success" {
		return nil, fmt.Errorf("the answer is %s: %s", a.Status, a.Error)
	}
	all := make([]Series, 0, len(a.Data.Result))
	for _, r := range a.Data.Result {
		if r.Value != nil {
			r.Values = [][]any{r.Value}
		}
		series := Series{Labels: r.Metric}
		for _, v := range r.Values {
			p, err := point(v)
			if err != nil {
				return nil, err
			}
			series.Points = append(series.Points, p)
		}
		all = append(all, series)
	}
	return all, nil
}

// point reads a value: its Unix time as a number, and the value as text.
func point(v []any) (Point, error) {
	if len(v) != 2 {
		return Point{}, fmt.Errorf("%v is no value at a time", v)
	}
	at, number := v[0].(float64)
	text, isText := v[1].(string)
	value, err := strconv.ParseFloat(text, 64)
	if !number || !isText || err != nil {
		return Point{}, fmt.Errorf("%v is no value at a time", v)
	}
	return Point{Time: time.UnixMilli(int64(math.Round(at * 1000))), Value: value}, nil
}

// get makes a request, and returns the body of the answer if it is not an error
// without explanation.
func (s *Server) get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.address+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusServiceUnavailable {
		_ = response.Body.Close()
		return nil, errors.New(response.Status)
	}
	return response.Body, nil
}
