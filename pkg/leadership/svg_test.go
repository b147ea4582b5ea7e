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
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

const queuePrefix = "tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler."

// story is a restart and a handover: a leads everything, b takes over what is
// surplus after a gap, and one bucket of each queue has two leaders meanwhile.
func story(queues, buckets int) Timeline {
	var a, b Process
	for q := range queues {
		for i := range buckets {
			lease := fmt.Sprintf("%squeue%02d.reconciler.%02d-of-%02d", queuePrefix, q, i, buckets)
			at := 137*i + 611*q
			a.Changes = append(a.Changes, starts(5000+at, "tekton-pipelines-controller-7d9c5b-rz4kq_u1", lease))
			if i%2 == 0 {
				continue
			}
			gap := 7000 + at
			if i == 1 {
				gap = -4000
			}
			a.Changes = append(a.Changes, stops(40000+at, "tekton-pipelines-controller-7d9c5b-rz4kq_u1", lease))
			b.Changes = append(b.Changes, starts(40000+at+gap, "tekton-pipelines-controller-7d9c5b-x7bnm_u2", lease))
		}
	}
	return Build(ms(70000), []Process{a, b})
}

func storyPicture() Picture {
	return Picture{
		Title:    "Who leads which bucket",
		Subtitle: "2 replicas, lease 60s",
		From:     ms(0),
		Marks:    []Mark{{ms(62000), "even <&>"}, {ms(12000), "replica deleted"}, {ms(14000), "controller applied"}},
	}
}

func TestWriteSVGGolden(t *testing.T) {
	for name, tc := range map[string]struct {
		timeline Timeline
		picture  Picture
	}{
		"story": {timeline: story(2, 3), picture: storyPicture()},
		"empty": {timeline: Timeline{Until: ms(0)}, picture: Picture{Title: "Nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := WriteSVG(&got, tc.timeline, tc.picture); err != nil {
				t.Fatal("WriteSVG() =", err)
			}
			golden := filepath.Join("testdata", "TestWriteSVG-"+name+".svg")
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
					t.Fatal("failed to write the golden picture:", err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal("failed to read the golden picture:", err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("WriteSVG() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestWriteSVGIsXMLWithoutReferences(t *testing.T) {
	var got bytes.Buffer
	timeline := Build(ms(1000), []Process{{Changes: []Change{starts(0, `<a>&"b_1`, `<q>&.'0'`)}}})
	err := WriteSVG(&got, timeline, Picture{Title: "<script>", Subtitle: "a & b", Marks: []Mark{{ms(1), "</svg>"}}})
	if err != nil {
		t.Fatal("WriteSVG() =", err)
	}
	decoder := xml.NewDecoder(&got)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal("the picture is not XML:", err)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, attr := range element.Attr {
			if element.Name.Local == "script" || attr.Name.Local == "href" || attr.Name.Local == "src" {
				t.Errorf("<%s %s=%q> refers to something", element.Name.Local, attr.Name.Local, attr.Value)
			}
		}
	}
}

// One millisecond of two leaders in a picture of minutes is drawn wide enough
// to be seen, and after the bars beside it.
func TestWriteSVGShowsShortOverlap(t *testing.T) {
	timeline := Build(ms(600_000), []Process{{Changes: []Change{
		starts(0, "a_1", "q.0"), starts(300_000, "b_1", "q.0"), stops(300_001, "a_1", "q.0"),
	}}})
	var got bytes.Buffer
	if err := WriteSVG(&got, timeline, Picture{}); err != nil {
		t.Fatal("WriteSVG() =", err)
	}
	bars := regexp.MustCompile(`<rect x="[^"]*" y="[^"]*" width="([^"]*)" height="[^"]*" fill="([^"]*)"><title>`).FindAllStringSubmatch(got.String(), -1)
	if len(bars) != 3 {
		t.Fatalf("WriteSVG() drew %d bars, want 3:\n%s", len(bars), got.String())
	}
	width, err := strconv.ParseFloat(bars[2][1], 64)
	if err != nil || width < minOverlap || bars[2][2] != overlapColour {
		t.Errorf("last bar has width %q and colour %q, want at least %.0f and %q", bars[2][1], bars[2][2], minOverlap, overlapColour)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteSVGReportsErrors(t *testing.T) {
	if err := WriteSVG(failingWriter{}, Timeline{}, Picture{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("WriteSVG() = %v, want %v", err, io.ErrShortWrite)
	}
}
