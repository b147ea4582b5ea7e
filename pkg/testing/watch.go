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
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	// bookmarkPeriod is how often an idle watch is told how far it has come.
	bookmarkPeriod = time.Minute
	// watchTimeout ends a watch that named no time-out.
	watchTimeout = 30 * time.Minute
	// eventFormat is one event on the wire: its type and its object.
	eventFormat = `{"type":%q,"object":%s}` + "\n"
)

// subscription is what a watch asked for and where it stands.
type subscription struct {
	*collection
	selector
	// next is the position of the next change in the collection's log.
	next      int
	initial   bytes.Buffer
	bookmarks bool
	timeout   time.Duration
	// sent is the version of the last event.
	sent int64
}

// subscribe begins a watch: at a version, or with the present state as events, closed by a bookmark if so asked.
func (a *API) subscribe(col *collection, c *call) (answer, error) {
	sel, err := c.selector()
	if err != nil {
		return answer{}, err
	}
	s := &subscription{collection: col, selector: sel, next: len(col.log), sent: a.version, timeout: watchTimeout}
	s.bookmarks = c.query.Get("allowWatchBookmarks") == "true"
	if seconds, err := strconv.Atoi(c.query.Get("timeoutSeconds")); err == nil {
		s.timeout = time.Duration(seconds) * time.Second
	}
	initial, version := c.query.Get("sendInitialEvents") == "true", c.query.Get("resourceVersion")
	if err := checkOptions(c.query, true); err != nil {
		return answer{}, err
	}
	from, err := parseVersion(version)
	if err != nil {
		return answer{}, err
	}
	if initial || from == 0 {
		s.begin(initial && s.bookmarks)
	} else {
		s.resume(from)
	}
	return answer{code: http.StatusOK, watch: s}, nil
}

func (s *subscription) begin(bookmark bool) {
	for _, e := range s.sorted(s.selector.namespace) {
		if s.matches(e) {
			s.emit(watch.Added, e.raw)
		}
	}
	if bookmark {
		s.emit(watch.Bookmark, s.bookmark(map[string]string{metav1.InitialEventsAnnotationKey: "true"}))
	}
}

// resume goes on after a version. The error of one that is forgotten comes as an event, like the real server's.
func (s *subscription) resume(from int64) {
	if from < s.oldest {
		s.emit(watch.Error, failure(apierrors.NewResourceExpired(
			fmt.Sprintf("too old resource version: %d (%d)", from, s.oldest))).body)
		return
	}
	s.sent = from
	s.next, _ = slices.BinarySearchFunc(s.log, from+1, func(ch change, version int64) int {
		return int(ch.version - version)
	})
}

func (s *subscription) emit(kind watch.EventType, object []byte) {
	fmt.Fprintf(&s.initial, eventFormat, kind, object)
}

func (s *subscription) bookmark(annotations map[string]string) []byte {
	obj := s.empty()
	obj.SetResourceVersion(strconv.FormatInt(s.sent, 10))
	obj.SetAnnotations(annotations)
	return encode(s.kind, obj)
}

// event says what a change looks like through the selector.
func (s *subscription) event(ch change) (watch.EventType, []byte) {
	was, is := s.matches(ch.old), s.matches(ch.new)
	switch {
	case was && is:
		return watch.Modified, ch.new.raw
	case is:
		return watch.Added, ch.new.raw
	case was && ch.new == nil:
		return watch.Deleted, ch.old.raw
	case was:
		return watch.Deleted, s.left(ch)
	}
	return "", nil
}

// left returns what a watch sees of an object that its selector does not select any more: the object as it was when
// it still did, with the version of the change.
func (s *subscription) left(ch change) []byte {
	last := ch.old.obj.DeepCopyObject().(Object)
	last.SetResourceVersion(ch.new.obj.GetResourceVersion())
	return encode(s.kind, last)
}
