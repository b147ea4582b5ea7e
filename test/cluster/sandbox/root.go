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

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// buildRoot covers RootDir with a file system in memory and fills it: what an image without a distribution has, the
// devices that programs expect, and the container's mounts.
func buildRoot(c *Container) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("failed to make mounts private: %w", err)
	}
	if err := unix.Mount("tmpfs", c.RootDir, "tmpfs", unix.MS_NOSUID, "mode=0755"); err != nil {
		return fmt.Errorf("failed to mount the root directory: %w", err)
	}
	for _, dir := range []string{"/dev", "/etc", "/proc", "/root", "/run", "/tmp", "/var"} {
		if err := os.Mkdir(c.RootDir+dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.Chmod(c.RootDir+"/tmp", 0o1777); err != nil {
		return err
	}
	if err := os.Symlink("/run", c.RootDir+"/var/run"); err != nil {
		return err
	}
	for path, content := range c.Files {
		if err := os.WriteFile(c.RootDir+path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return errors.Join(mountProc(c.RootDir+"/proc"), mountDevices(c.RootDir), mountAll(c))
}

// mountProc shows the container's own processes. Where the machine hides parts of its own /proc, a new one may not be
// mounted, and the host's has to do.
func mountProc(target string) error {
	if unix.Mount("proc", target, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "") == nil {
		return nil
	}
	return bind(Mount{Source: "/proc", Target: target})
}

func mountDevices(root string) error {
	for _, name := range []string{"full", "null", "random", "tty", "urandom", "zero"} {
		device := "/dev/" + name
		if err := bind(Mount{Source: device, Target: root + device}); err != nil {
			return err
		}
	}
	return nil
}

// mountAll mounts outer directories before those inside them.
func mountAll(c *Container) error {
	slices.SortStableFunc(c.Mounts, func(a, b Mount) int { return strings.Compare(a.Target, b.Target) })
	for _, m := range c.Mounts {
		m.Target = inRoot(c.RootDir, m.Target)
		if err := bind(m); err != nil {
			return err
		}
	}
	return nil
}

// inRoot is where a path of the container lies. /var/run is a link that would lead out of the root directory.
func inRoot(root, path string) string {
	if rest, found := strings.CutPrefix(filepath.Clean(path), "/var/run"); found {
		path = "/run" + rest
	}
	return filepath.Join(root, path)
}

func bind(m Mount) error {
	if err := makeTarget(m); err != nil {
		return err
	}
	if err := unix.Mount(m.Source, m.Target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("failed to mount %s: %w", m.Source, err)
	}
	if !m.ReadOnly {
		return nil
	}
	return remountReadOnly(m.Target)
}

// makeTarget makes what the mount covers: a directory for a directory, a file for a file.
func makeTarget(m Mount) error {
	info, err := os.Stat(m.Source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.MkdirAll(m.Target, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(m.Target), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(m.Target, os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}

// remountReadOnly keeps the flags that the mount already has: a user namespace may not drop those of the host.
func remountReadOnly(path string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return fmt.Errorf("failed to read the mount flags of %s: %w", path, err)
	}
	kept := uintptr(fs.Flags) & (unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC)
	if err := unix.Mount("", path, "", kept|unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("failed to make %s read-only: %w", path, err)
	}
	return nil
}

// enterRoot makes RootDir the root directory and leaves nothing of the host's in sight.
func enterRoot(c *Container) error {
	if err := os.Chdir(c.RootDir); err != nil {
		return err
	}
	// Both directories may be the same: the old root is then stacked on the new one, and taken off at once.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("failed to change the root directory: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("failed to let go of the host's root directory: %w", err)
	}
	if err := os.MkdirAll(c.WorkingDir, 0o755); err != nil {
		return err
	}
	if c.ReadOnly {
		if err := remountReadOnly("/"); err != nil {
			return err
		}
	}
	return os.Chdir(c.WorkingDir)
}
