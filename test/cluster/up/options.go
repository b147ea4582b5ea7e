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

package up

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// options are what the command line says.
type options struct {
	dir              string
	images           images
	untilStdinCloses bool
	// address is where a node that somebody else runs reaches the API server: there is none of local processes then.
	address string
}

// images lists image=path pairs as they were given; the node parses them.
type images []string

// String implements flag.Value.
func (i *images) String() string { return strings.Join(*i, ",") }

// Set implements flag.Value.
func (i *images) Set(value string) error {
	image, path, found := strings.Cut(value, "=")
	if !found || image == "" {
		return fmt.Errorf("%q is not IMAGE=PATH", value)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	*i = append(*i, image+"="+path)
	return nil
}

func parse(args []string) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("cluster up", flag.ContinueOnError)
	flags.StringVar(&o.dir, "dir", "", "a directory for all files of the cluster; it must not hold one already")
	flags.Var(&o.images, "image", "IMAGE=PATH: pods with this image run this binary (may be given more than once)")
	flags.BoolVar(&o.untilStdinCloses, "until-stdin-closes", false, "stop also when the standard input ends")
	flags.StringVar(&o.address, "address", "", "serve at this IP address, for a node that is started apart, and run none here")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if o.dir == "" || flags.NArg() > 0 {
		return nil, errors.New("usage: cluster up --dir DIR [--image IMAGE=PATH]... [--until-stdin-closes] [--address IP]")
	}
	if o.address != "" && net.ParseIP(o.address) == nil {
		return nil, fmt.Errorf("%q is no IP address", o.address)
	}
	dir, err := filepath.Abs(o.dir)
	o.dir = dir
	return o, err
}
