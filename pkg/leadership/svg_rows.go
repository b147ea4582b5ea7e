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
	"fmt"
	"strings"
)

// minOverlap is the least width of two leaders: one millisecond of them must
// catch the eye as well.
const minOverlap = 2.0

// rows writes the labels and the bars of all buckets. Two leaders are written
// last, so that no neighbour covers a thin one.
func (d *drawing) rows() {
	for i, bucket := range d.timeline.Buckets {
		queue, name := Queue(bucket.Lease)
		if d.newQueue[i] {
			d.add(`<text x="%d" y="%d" font-weight="bold">%s</text>`, padding, d.rowTop[i]+d.rowHeight-2, escape(ShortQueue(queue)))
		}
		if d.labelled(i) {
			d.add(`<text x="%d" y="%d" font-size="%d" text-anchor="end" fill="#555">%s</text>`,
				d.left-6, d.rowTop[i]+d.rowHeight-2, min(d.rowHeight, 11), escape(name))
		}
		d.add(`<path d="M%d %dH%d" stroke="#eee"/>`, d.left, d.rowTop[i]+d.rowHeight, d.right)
	}
	for _, overlaps := range []bool{false, true} {
		for i, bucket := range d.timeline.Buckets {
			d.row(i, bucket, overlaps)
		}
	}
}

func (d *drawing) row(i int, bucket Bucket, overlaps bool) {
	for _, segment := range bucket.Segments(d.timeline.Until) {
		if len(segment.Leaders) == 0 || (len(segment.Leaders) > 1) != overlaps || !segment.To.After(d.picture.From) {
			continue
		}
		x := max(d.x(segment.From), float64(d.left))
		width := d.x(segment.To) - x
		fill, top, height := d.colour[Replica(segment.Leaders[0])], d.rowTop[i]+1, d.rowHeight-2
		if overlaps {
			width, fill, top, height = max(width, minOverlap), overlapColour, top-1, height+2
		}
		d.add(`<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"><title>%s</title></rect>`,
			x, top, width, height, fill, escape(d.tip(bucket, segment)))
	}
}

// tip is what a browser shows while the pointer is over a bar.
func (d *drawing) tip(bucket Bucket, segment Segment) string {
	queue, name := Queue(bucket.Lease)
	leaders := make([]string, 0, len(segment.Leaders))
	for _, identity := range segment.Leaders {
		leaders = append(leaders, Replica(identity))
	}
	return fmt.Sprintf("%s %s: %s, %.3f s to %.3f s", ShortQueue(queue), name, strings.Join(leaders, " and "),
		segment.From.Sub(d.picture.From).Seconds(), segment.To.Sub(d.picture.From).Seconds())
}
