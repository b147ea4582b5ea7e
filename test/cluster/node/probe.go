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
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// startProbes probes the running container until ctx ends. The channel is closed when it should be restarted.
func (c *container) startProbes(ctx context.Context) <-chan struct{} {
	unhealthy := make(chan struct{})
	go func() {
		if c.repeat(ctx, c.spec.StartupProbe, func(bool) bool { return true }) == failing {
			close(unhealthy)
			return
		}
		c.change(func(s *corev1.ContainerStatus) {
			s.Started = ptr.To(s.State.Running != nil)
			s.Ready = s.State.Running != nil && c.spec.ReadinessProbe == nil
		})
		go c.repeat(ctx, c.spec.ReadinessProbe, func(ready bool) bool {
			c.change(func(s *corev1.ContainerStatus) { s.Ready = ready && s.State.Running != nil })
			return false
		})
		if c.repeat(ctx, c.spec.LivenessProbe, func(alive bool) bool { return !alive }) == failing {
			close(unhealthy)
		}
	}()
	return unhealthy
}

// verdict is what a series of probes says.
type verdict int

const (
	undecided verdict = iota
	passing
	failing
)

// series judges probes by their thresholds.
type series struct {
	verdict           verdict
	successes, faults int32 // in a row
}

// observe takes one more result and reports whether the verdict changed.
func (s *series) observe(ok bool, p *corev1.Probe) bool {
	before := s.verdict
	if ok {
		s.successes, s.faults = s.successes+1, 0
	} else {
		s.successes, s.faults = 0, s.faults+1
	}
	switch {
	case s.successes >= max(p.SuccessThreshold, 1):
		s.verdict = passing
	case s.faults >= max(p.FailureThreshold, 1):
		s.verdict = failing
	}
	return s.verdict != before
}

// repeat probes period after period and calls changed with each new verdict, until that returns true or ctx ends.
// It returns the last verdict. No probe means no verdict.
func (c *container) repeat(ctx context.Context, p *corev1.Probe, changed func(bool) bool) verdict {
	var s series
	if p == nil {
		return s.verdict
	}
	wait := time.Duration(p.InitialDelaySeconds) * time.Second
	for {
		select {
		case <-ctx.Done():
			return undecided
		case <-time.After(wait):
		}
		wait = time.Duration(max(p.PeriodSeconds, 1)) * time.Second
		err := c.probe(ctx, p)
		if ctx.Err() != nil {
			return undecided
		}
		if err != nil {
			c.pod.event(corev1.EventTypeWarning, "Unhealthy", err.Error())
		}
		if s.observe(err == nil, p) && changed(s.verdict == passing) {
			return s.verdict
		}
	}
}

// probe asks once.
func (c *container) probe(ctx context.Context, p *corev1.Probe) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(max(p.TimeoutSeconds, 1))*time.Second)
	defer cancel()
	switch {
	case p.HTTPGet != nil:
		return c.get(ctx, p.HTTPGet)
	case p.TCPSocket != nil:
		conn, err := c.pod.network.DialContext(ctx, "tcp", c.pod.address(c.port(p.TCPSocket.Port)))
		if err != nil {
			return err
		}
		return conn.Close()
	default:
		return errors.New("this kind of probe is not supported")
	}
}

func (c *container) get(ctx context.Context, action *corev1.HTTPGetAction) error {
	target, err := url.Parse(action.Path)
	if err != nil {
		return err
	}
	target.Scheme, target.Host = "http", c.pod.address(c.port(action.Port))
	if action.Scheme == corev1.URISchemeHTTPS {
		target.Scheme = "https"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return err
	}
	for _, h := range action.HTTPHeaders {
		request.Header.Add(h.Name, h.Value)
	}
	client := http.Client{Transport: &http.Transport{
		DialContext:       c.pod.network.DialContext,
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // as a kubelet: a probe asks for life, not for identity
	}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode < http.StatusOK || response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("HTTP probe failed with status code %d", response.StatusCode)
	}
	return nil
}

// port finds a port that a probe may call by the name that the container gives it.
func (c *container) port(of intstr.IntOrString) int32 {
	for _, p := range c.spec.Ports {
		if of.Type == intstr.String && p.Name == of.StrVal {
			return p.ContainerPort
		}
	}
	return int32(of.IntValue())
}
