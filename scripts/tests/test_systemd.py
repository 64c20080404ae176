"""What check-systemd makes of what it sees: whether a container is apart, and whether systemd started in order."""

import pytest

from judgement import Sample, mistakes_at_boot, mistakes_while_starts_fail, properties, seen_of_the_host

APART = """/ overlay /
/proc proc /
/proc/sys proc /sys
/dev tmpfs /
/dev/pts devpts /
/sys sysfs /
/sys/fs/cgroup cgroup2 /
/tmp tmpfs /
/run tmpfs /
/run/.containerenv ext4 /engine/.containerenv
/etc/hosts ext4 /engine/hosts
"""
DATABASE = {"ActiveEnterTimestampMonotonic": "8000000"}
SERVER = {"ExecMainStartTimestampMonotonic": "8000001", "ActiveState": "active", "NRestarts": "0"}


def samples(states, restarts):
    return [Sample(10 * number, *each) for number, each in enumerate(zip(states, restarts))]


def test_a_container_of_its_own_sees_nothing_of_the_host():
    assert not list(seen_of_the_host(APART))


@pytest.mark.parametrize(("line", "instead"), [
    ("/tmp tmpfs /\n", ""), ("/run tmpfs /\n", ""), ("/tmp tmpfs /", "/tmp ext4 /tmp"), ("/ overlay /", "/ ext4 /"),
    ("/dev tmpfs /", "/dev devtmpfs /"), ("cgroup2 /", "cgroup2 /.."), ("cgroup2 /", "cgroup /"),
    ("/proc proc /\n", "/proc proc /\n/var/tmp ext4 /var/tmp\n"), ("/etc/hosts ext4", "/etc ext4")])
def test_whatever_is_of_the_host_is_named(line, instead):
    assert line in APART and list(seen_of_the_host(APART.replace(line, instead)))


def test_what_systemctl_shows_may_have_equals_signs():
    assert properties("Result=success\nExecStart={ path=/bin/true }\n\n") == {
        "Result": "success", "ExecStart": "{ path=/bin/true }"}


@pytest.mark.parametrize(("states", "restarts", "count"), [
    (["activating"] * 4, [0, 1, 2, 3], 0), (["activating", "deactivating"] * 2, [2, 3, 4, 6], 0),
    (["activating"] * 4, [0, 1, 2, 2], 1), (["activating"] * 3, [0, 1, 2], 1),
    (["activating", "active", "activating", "activating"], [0, 1, 2, 3], 1),
    (["activating", "activating", "failed", "failed"], [0, 1, 1, 1], 2)])
def test_a_start_is_tried_again_as_long_as_it_fails(states, restarts, count):
    assert len(list(mistakes_while_starts_fail(samples(states, restarts), every=10, least=30))) == count


@pytest.mark.parametrize(("changed", "count"), [
    ({}, 0), ({"ExecMainStartTimestampMonotonic": "7999999"}, 1), ({"ExecMainStartTimestampMonotonic": "0"}, 1),
    ({"ActiveState": "activating"}, 1), ({"NRestarts": "1"}, 1)])
def test_the_server_is_started_once_after_its_database(changed, count):
    assert len(list(mistakes_at_boot(DATABASE, SERVER | changed))) == count
    assert list(mistakes_at_boot({"ActiveEnterTimestampMonotonic": "0"}, SERVER))
