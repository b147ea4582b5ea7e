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

package testing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// stream is the body of a watch's response.
type stream struct {
	*subscription
	api *API
	ctx context.Context
	// broken is closed when the connection breaks, done when the client closes it.
	broken  <-chan struct{}
	done    chan struct{}
	expires *time.Timer
	// pass waits as long as the process is frozen.
	pass func() bool
	// lag returns how long an event takes to arrive.
	lag    func(resource string, version int64) time.Duration
	buffer bytes.Buffer
}

var _ io.ReadCloser = (*stream)(nil)

// Read returns the next piece of the stream, and waits for it.
func (s *stream) Read(p []byte) (int, error) {
	for s.buffer.Len() == 0 {
		err := s.fill()
		s.pass()
		if err != nil {
			return 0, err
		}
	}
	return s.buffer.Read(p)
}

// Close ends the watch.
func (s *stream) Close() error {
	select {
	case <-s.done:
	default:
		close(s.done)
		s.expires.Stop()
	}
	return nil
}

// fill waits for one event. It returns without one where there is nothing to say yet.
func (s *stream) fill() error {
	if s.initial.Len() > 0 {
		s.buffer, s.initial = s.initial, bytes.Buffer{}
		return nil
	}
	ch, changed := s.advance()
	if ch == nil {
		return s.idle(changed)
	}
	kind, object := s.event(*ch)
	if kind == "" {
		return nil
	}
	arrives := time.NewTimer(time.Until(ch.at.Add(s.lag(s.plural, ch.version))))
	defer arrives.Stop()
	if err := s.wait(nil, arrives.C); err != nil {
		return err
	}
	fmt.Fprintf(&s.buffer, eventFormat, kind, object)
	return nil
}

// advance returns the next change, or what to wait for until there is one.
func (s *stream) advance() (*change, <-chan struct{}) {
	s.api.mu.Lock()
	defer s.api.mu.Unlock()
	if s.next >= len(s.log) {
		s.sent = s.api.version
		return nil, s.changed
	}
	ch := s.log[s.next]
	s.next++
	s.sent = ch.version
	return &ch, nil
}

// idle waits for a change; after a while without one it says how far it has come.
func (s *stream) idle(changed <-chan struct{}) error {
	quiet := time.NewTimer(bookmarkPeriod)
	defer quiet.Stop()
	if err := s.wait(changed, quiet.C); err != nil {
		return err
	}
	select {
	case <-changed:
	default:
		if s.bookmarks {
			fmt.Fprintf(&s.buffer, eventFormat, watch.Bookmark, s.bookmark(nil))
		}
	}
	return nil
}

// wait returns nil when one of the two channels has something, and else why the stream ends.
func (s *stream) wait(changed <-chan struct{}, timer <-chan time.Time) error {
	select {
	case <-changed:
		return nil
	case <-timer:
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	case <-s.broken:
		return io.ErrUnexpectedEOF
	case <-s.done:
		return http.ErrBodyReadAfterClose
	case <-s.expires.C:
		return io.EOF
	}
}
