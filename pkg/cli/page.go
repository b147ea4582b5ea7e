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
	"bytes"
	"fmt"
	"html/template"
	"time"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// pageTemplate is a page that refers to nothing outside of itself.
var pageTemplate = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{{.Title}}</title>
<style>
body { font-family: Helvetica, Arial, sans-serif; font-size: 14px; color: #222; margin: 1em; }
rect:hover { stroke: #222; }
table { border-collapse: collapse; }
th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
</style>
{{.Picture}}
<table>
<tr><th>lease</th><th>holders</th><th>longest without a holder</th></tr>
{{range .Rows}}<tr><td>{{.Lease}}</td><td>{{.Holders}}</td><td>{{.Gap}}</td></tr>
{{end}}</table>
</html>
`))

type pageRow struct {
	Lease   string
	Holders int
	Gap     string
}

// page draws the picture and the numbers.
func page(timeline leadership.Timeline, picture leadership.Picture) ([]byte, error) {
	drawn, err := svg(timeline, picture)
	if err != nil {
		return nil, err
	}
	rows := make([]pageRow, 0, len(timeline.Buckets))
	for _, b := range timeline.Buckets {
		stats := b.Stats(picture.From, timeline.Until)
		rows = append(rows, pageRow{b.Lease, len(b.Spans), stats.LongestGap.Round(100 * time.Millisecond).String()})
	}
	var out bytes.Buffer
	err = pageTemplate.Execute(&out, map[string]any{
		"Title": picture.Title, "Rows": rows,
		"Picture": template.HTML(drawn), //nolint:gosec // our own picture, in which all text is escaped
	})
	if err != nil {
		return nil, fmt.Errorf("failed to draw the page: %w", err)
	}
	return out.Bytes(), nil
}
