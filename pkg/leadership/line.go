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

package leadership

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// stampLayout is how zap's "iso8601" encoder writes the time, which is what
// Tekton's config-logging asks for.
const stampLayout = "2006-01-02T15:04:05.000Z0700"

// message matches the two lines of knative's electors; both names are quoted
// as Go quotes strings.
var message = regexp.MustCompile(`^("(?:[^"\\]|\\.)*") has (started|stopped) leading ("(?:[^"\\]|\\.)*")$`)

// Change is one line of an elector: from Time on, Identity leads Lease, or it
// does not any more.
type Change struct {
	Time            time.Time
	Identity, Lease string
	Leads           bool
}

// Replica is the part of an identity that names the replica: the hostname of
// its pod.
func Replica(identity string) string {
	replica, _, _ := strings.Cut(identity, "_")
	return replica
}

// ParseLine reads a JSON log line. It returns false if the line does not tell
// that an elector has started or stopped leading.
func ParseLine(line []byte) (Change, bool) {
	// Nearly all lines are about something else: do not decode those.
	if !bytes.Contains(line, []byte("ed leading ")) {
		return Change{}, false
	}
	// Tekton Pipelines' config-logging has the long keys, that of Chains the short ones.
	var entry struct{ Timestamp, TS, Message, Msg string }
	if err := json.Unmarshal(line, &entry); err != nil {
		return Change{}, false
	}
	return parseEntry(cmp.Or(entry.Timestamp, entry.TS), cmp.Or(entry.Message, entry.Msg))
}

func parseEntry(stamp, text string) (Change, bool) {
	match := message.FindStringSubmatch(text)
	if match == nil {
		return Change{}, false
	}
	at, err := time.Parse(stampLayout, stamp)
	if err != nil {
		return Change{}, false
	}
	identity, err := strconv.Unquote(match[1])
	if err != nil {
		return Change{}, false
	}
	lease, err := strconv.Unquote(match[3])
	if err != nil {
		return Change{}, false
	}
	return Change{Time: at, Identity: identity, Lease: lease, Leads: match[2] == "started"}, true
}
