"""Runs a program in a sandbox. A script: it runs in a process of its own and imports no Plyboard.

    python -I -S runner.py SETTINGS

The settings are JSON, written by `sandbox`. On Linux this process enters namespaces of its own and
starts an init process inside. The init process starts the program, watches it and exits with it;
then the kernel kills whatever the program has started. Without namespaces this process watches the
program itself, and kills its descendants one by one; Landlock limits the program to its files, the
filter of system calls keeps it from other processes, and if this is root, it becomes nobody where
it could still read its files. If that is not possible either, the program is not started, unless
the settings say so.

A control pipe takes commands of one byte: F freezes the program, T thaws it. Its end ends all.
A status pipe returns JSON lines: which protections are in place, each command that is done, and
how the program ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import importlib.util
import json
import os
import platform
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NoReturn

INTERVAL = 0.02  # seconds between checks of memory and processes
SECONDS_TO_KILL = 2.0  # for descendants without a namespace
INSIDE, NOBODY = 1000, 65534  # the user inside; the one outside if we are root
FREEZE, THAW = b"F", b"T"

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x00020000, 0x02000000, 0x04000000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x08000000, 0x10000000, 0x20000000
CLONE_NEWNET = 0x40000000
NAMESPACES = (
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC
    | CLONE_NEWUTS | CLONE_NEWCGROUP
)  # fmt: skip
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_SECCOMP = 1, 4, 24, 22
PR_GET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 21, 36, 38, 2
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
SYS_MOUNT_SETATTR = 442  # on every architecture
LAST_CAPABILITY = 63

DEVICES = ("null", "zero", "full", "random", "urandom")
OLD_ROOT = "/old-root"

DEVICE_FILES = tuple(f"/dev/{name}" for name in DEVICES)
FACTS = ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu")  # also for libraries
OWN_PROCESS = 0x7FFFFFFF  # in the filter of system calls, for the id of the program

Settings = dict[str, Any]


def _landlock() -> Any:
    """Return the module beside this one; nothing else there can be imported."""
    place = Path(__file__).with_name("landlock.py")
    spec = importlib.util.spec_from_file_location("landlock", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Libc:
    """The system calls that Python does not have."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)

    def call(self, name: str, *arguments: object) -> int:
        """Call a function of the C library; raise `OSError` if it fails."""
        result: int = getattr(self._libc, name)(*arguments)
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, f"{name}: {os.strerror(number)}")
        return result

    def mount(self, source: str, target: str, kind: str, flags: int, data: str = "") -> None:
        """Mount a file system."""
        texts = (source.encode(), target.encode(), kind.encode())
        self.call("mount", *texts, ctypes.c_ulong(flags), data.encode())

    def make_read_only(self, target: str) -> None:
        """Make a mount and those below it read-only."""
        attributes = (ctypes.c_uint64 * 4)(MS_RDONLY | MS_NOSUID, 0, 0, 0)
        self.call(
            "syscall", ctypes.c_long(SYS_MOUNT_SETATTR), ctypes.c_int(AT_FDCWD), target.encode(),
            ctypes.c_uint(AT_RECURSIVE), ctypes.byref(attributes), ctypes.c_size_t(32),
        )  # fmt: skip

    def has_seccomp(self) -> bool:
        """Return whether this kernel can filter system calls."""
        try:
            self.prctl(PR_GET_SECCOMP, 0)
        except OSError:
            return False
        return True

    def prctl(self, option: int, value: int, pointer: object = 0) -> None:
        """Set an attribute of this process."""
        self.call("prctl", option, ctypes.c_ulong(value), pointer, 0, 0)


def main() -> NoReturn:
    """Run the program of the settings; exit after it and all its descendants."""
    settings = json.loads(sys.argv[1])
    status = Status(settings["status"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    libc = Libc() if sys.platform == "linux" else None
    reason = "switched off"
    if settings["namespaces"]:
        reason = "it needs Linux" if libc is None else run_in_namespaces(settings, status, libc)
    status.protections["no namespaces"] = reason
    Supervisor(settings, status, libc, has_namespaces=False).run()


def run_in_namespaces(settings: Settings, status: Status, libc: Libc) -> str:
    """Run the program in namespaces and exit; return only if that fails, with the reason."""
    failed, tell = os.pipe()
    outer = os.fork()
    if outer == 0:
        os.close(failed)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        reason = enter_namespaces(libc)
        init = 0 if reason else os.fork()
        if init == 0:
            run_init(settings, status, libc, tell, reason)
        for descriptor in (0, 1, 2, tell, settings["status"], settings["control"]):
            os.close(descriptor)
        os.waitpid(init, 0)  # returns after the last process of its namespace
        os._exit(0)
    os.close(tell)
    reason = os.read(failed, 4096).decode()
    os.close(failed)
    if not reason:
        for descriptor in (0, 1, 2, settings["status"], settings["control"]):
            os.close(descriptor)
    os.waitpid(outer, 0)
    if not reason:
        os._exit(0)
    return reason


def enter_namespaces(libc: Libc) -> str:
    """Move this process into namespaces of its own; return why it cannot, or an empty text."""
    if platform.machine() not in SYS_PIVOT_ROOT:
        return f"they are not supported on {platform.machine()}"
    entered, mapper = os.pipe(), 0
    try:
        mapper = os.fork()
        if mapper == 0:
            _map_users(os.getppid(), entered)
        libc.call("unshare", NAMESPACES)
        os.write(entered[1], b"!")
    except OSError as fault:
        return str(fault.strerror)
    finally:
        for end in entered:
            os.close(end)
        code = os.waitstatus_to_exitcode(os.waitpid(mapper, 0)[1]) if mapper else 0
    return "" if code == 0 else f"cannot map users: {os.strerror(code)}"


def _map_users(process: int, entered: tuple[int, int]) -> NoReturn:
    """Map the user inside to this user, or to nobody if this is root, once the process is in."""
    os.close(entered[1])
    if not os.read(entered[0], 1):
        os._exit(errno.EPERM)
    try:
        for name, own in (("uid", os.geteuid()), ("gid", os.getegid())):
            lines = f"{INSIDE} {own} 1\n"
            if os.geteuid() == 0:
                lines = f"0 0 1\n{INSIDE} {NOBODY} 1\n"
            elif name == "gid":
                Path(f"/proc/{process}/setgroups").write_text("deny")
            Path(f"/proc/{process}/{name}_map").write_text(lines)
    except OSError as fault:
        os._exit(fault.errno or errno.EPERM)
    os._exit(0)


def run_init(settings: Settings, status: Status, libc: Libc, tell: int, reason: str) -> NoReturn:
    """Be the init process of the namespaces: build the file system, run the program, exit.

    If there are none, or they do not suffice, tell the reason and exit.
    """
    if not reason:
        try:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            libc.prctl(PR_SET_DUMPABLE, 0)
            build_file_system(libc, settings)
        except OSError as fault:
            reason = str(fault)
    if reason:
        os.write(tell, reason.encode()[:4096])
        os._exit(1)
    os.close(tell)
    status.protections["namespaces"] = "user, pid, network, mount and ipc"
    Supervisor(settings, status, libc, has_namespaces=True).run()


def build_file_system(libc: Libc, settings: Settings) -> None:
    """Make a root with nothing but what the program may read, a private /tmp, /proc and /dev."""
    libc.mount("none", "/", "", MS_REC | MS_PRIVATE)
    libc.mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    old = Path(f"/tmp{OLD_ROOT}")
    old.mkdir()
    number = SYS_PIVOT_ROOT[platform.machine()]
    libc.call("syscall", ctypes.c_long(number), b"/tmp", str(old).encode())
    os.chdir("/")
    Path("/tmp").mkdir()
    disk = f"size={settings['disk']}m,nr_inodes=4096,mode=1777"
    libc.mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, disk)
    for name in settings["readable"]:
        _show(libc, name, read_only=True)
    for name in DEVICES:
        _show(libc, f"/dev/{name}", read_only=False)
    for name, goal in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        Path(f"/dev/{name}").symlink_to(f"/proc/self/{goal}")
    for folder in ("/proc", settings["folder"]):
        Path(folder).mkdir(parents=True, exist_ok=True)
    libc.mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "subset=pid")
    libc.call("umount2", OLD_ROOT.encode(), MNT_DETACH)
    Path(OLD_ROOT).rmdir()
    libc.mount("none", "/", "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.chdir(settings["folder"])


def _show(libc: Libc, name: str, *, read_only: bool) -> None:
    """Make a file or folder of the old root visible under its name."""
    old, new = Path(OLD_ROOT + name), Path(name)
    if new.exists() or new.is_symlink():  # a folder above it is visible already
        return
    if not old.exists() and not old.is_symlink():
        return
    new.parent.mkdir(parents=True, exist_ok=True)
    if old.is_symlink():
        new.symlink_to(old.readlink())
        return
    if old.is_dir():
        new.mkdir()
    else:
        new.touch()
    libc.mount(str(old), name, "", MS_BIND | MS_REC)
    if read_only:
        libc.make_read_only(name)


class Status:
    """The pipe that tells the parent what happens."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe
        self.protections: dict[str, str] = {}
        os.set_inheritable(pipe, False)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; the parent may be gone."""
        try:
            os.write(self.pipe, json.dumps(message).encode() + b"\n")
        except OSError:
            os._exit(1)


class Supervisor:
    """Starts the program, obeys the control pipe, and keeps memory and processes within limits."""

    def __init__(
        self, settings: Settings, status: Status, libc: Libc | None, *, has_namespaces: bool
    ) -> None:
        self.settings, self.status, self.libc = settings, status, libc
        self.has_namespaces, self.is_frozen = has_namespaces, False
        self.program, self.most_memory = 0, 0  # bytes
        self.reads_proc = Path("/proc/self/statm").exists()
        os.set_inheritable(settings["control"], False)
        self.landlock: Any = None  # the module, if it limits the program to its files
        self.temporary = ""  # the folder of the program, if it has no /tmp of its own

    def run(self) -> NoReturn:
        """Run the program until it exits, breaks a limit, or the control pipe is closed."""
        if self.libc is not None and not self.has_namespaces:
            self.libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        wake, child_exits = os.pipe()
        for descriptor in (wake, child_exits):
            os.set_blocking(descriptor, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(child_exits, warn_on_full_buffer=False)
        self._start()
        poll = select.poll()
        for descriptor in (wake, self.settings["control"]):
            poll.register(descriptor, select.POLLIN)
        end: dict[str, Any] | None = None
        while end is None:
            pause = None if self.is_frozen else 1000 * INTERVAL
            ready = {descriptor for descriptor, _ in poll.poll(pause)}
            if wake in ready:
                os.read(wake, 4096)
            if self.settings["control"] in ready and not self._obey():
                end = {"end": "closed"}
            end = self._reap() or end or self._broken_limit()
        self._kill_all()
        self.status.send(end)
        os._exit(0)

    def _start(self) -> None:
        """Start the program; the parent hears of an error by the status pipe."""
        if not self.has_namespaces and self.settings["landlock"]:
            self.settings["seccomp"] = self.settings["shared_seccomp"]
        seccomp = self.libc is not None and bool(self.settings["seccomp"])
        if self.libc is not None and seccomp:
            seccomp = self.libc.has_seccomp()
        if not seccomp:
            self.settings["seccomp"] = ""
        self.status.protections["seccomp" if seccomp else "no seccomp"] = ""
        if not self.has_namespaces:
            self._prepare_without_namespaces(has_filter=seccomp)
        self.status.send({"protections": self.status.protections})
        is_contained = self.has_namespaces or (self.landlock is not None and seccomp)
        if not is_contained and not self.settings["unsafe"]:
            self._kill_all()
            self.status.send({"end": "refused"})
            os._exit(0)
        self.program = os.fork()
        if self.program == 0:
            try:
                self._become_program()
            except OSError as fault:
                self.status.send({"end": "start", "text": str(fault.strerror)})
            except BaseException as fault:
                self.status.send({"end": "start", "text": repr(fault)})
            os._exit(127)
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        for _ in range(3):
            os.open(os.devnull, os.O_RDWR)

    def _prepare_without_namespaces(self, *, has_filter: bool) -> None:
        """Find out what there is instead, and make a folder for temporary files."""
        settings, protections = self.settings, self.status.protections
        if settings["landlock"] and self.libc is not None:
            module = _landlock()
            if (found := module.version()) >= module.LEAST_VERSION:
                self.landlock = module
                protections["landlock"] = str(found)
        if self.landlock is None:
            protections["no landlock"] = ""
        if not has_filter or not settings["landlock"]:
            return
        if os.geteuid() == 0 and _may_everybody_read(settings):
            protections["nobody"] = ""
        self.temporary = tempfile.mkdtemp(prefix="plyboard-program-")
        if "nobody" in protections:
            os.chown(self.temporary, NOBODY, NOBODY)
        for name in ("HOME", "TMPDIR"):
            settings["environment"][name] = self.temporary

    def _share(self, libc: Libc) -> None:
        """Give up what a program without namespaces does not need."""
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.geteuid() == 0 and self.temporary:
            _drop_capabilities(libc)
            if "nobody" in self.status.protections:
                os.setgroups([])
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
                libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # a new user has none
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1)
        if self.landlock is not None:
            own = (*self.settings["readable"], *FACTS, f"/proc/{os.getpid()}")
            writable = (*DEVICE_FILES, self.temporary)
            self.landlock.restrict(own, writable, self.settings["listed"])

    def _become_program(self) -> None:
        """Give up all rights, set the limits and run the program."""
        settings, libc = self.settings, self.libc
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        for name, most in self._limits():
            _, hard = resource.getrlimit(name)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(name, (most, most))
        if libc is not None:
            if self.has_namespaces:
                _drop_rights(libc)
            else:
                os.chdir(settings["folder"])
                self._share(libc)
            libc.prctl(PR_SET_NO_NEW_PRIVS, 1)
            if settings["seccomp"]:
                own = OWN_PROCESS.to_bytes(4, sys.byteorder), os.getpid().to_bytes(4, sys.byteorder)
                _filter_system_calls(libc, bytes.fromhex(settings["seccomp"]).replace(*own))
        elif not self.has_namespaces:
            os.chdir(settings["folder"])
        command = settings["command"]
        os.execve(command[0], command, settings["environment"])

    def _limits(self) -> list[tuple[int, int]]:
        memory = self.settings["memory"] << 20
        limits = [
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_DATA, memory),
            (resource.RLIMIT_FSIZE, self.settings["disk"] << 20),
            (resource.RLIMIT_NOFILE, self.settings["files"]),
        ]
        if self.has_namespaces and _counts_processes_by_namespace():
            limits.append((resource.RLIMIT_NPROC, self.settings["processes"]))
        return limits

    def _obey(self) -> bool:
        """Obey the commands in the control pipe; return False at its end."""
        commands = os.read(self.settings["control"], 64)
        for command in (commands[index : index + 1] for index in range(len(commands))):
            self.is_frozen = command == FREEZE
            self._signal_all(signal.SIGSTOP if self.is_frozen else signal.SIGCONT)
            self.status.send({"done": command.decode("latin-1")})
        return bool(commands)

    def _reap(self) -> dict[str, Any] | None:
        """Reap processes that have exited; return how the program ended, if it did."""
        end = None
        while True:
            try:
                process, code = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return end
            if process == 0:
                return end
            if process == self.program:
                end = {"end": "exit", "code": os.waitstatus_to_exitcode(code)}
                end["memory"] = self.most_memory >> 20

    def _broken_limit(self) -> dict[str, Any] | None:
        """Return which limit of memory or processes is broken, if one is."""
        if self.is_frozen or not self.reads_proc:
            return None
        anonymous, shared, found = 0, 0, self._processes()
        for process in found:
            facts = _facts_of(process)
            anonymous, shared = anonymous + facts["RssAnon"], max(shared, facts["RssShmem"])
            if facts["is_stopped"]:  # it was forked while it was frozen
                _send_signal(process, signal.SIGCONT)
        self.most_memory = max(self.most_memory, anonymous + shared)
        if self.most_memory > self.settings["memory"] << 20:
            return {"end": "memory"}
        return {"end": "processes"} if len(found) > self.settings["processes"] else None

    def _processes(self) -> list[int]:
        """Return the processes of the program: all but this one, or its descendants."""
        if not self.reads_proc:
            return [self.program]
        everyone = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
        if self.has_namespaces:
            return [process for process in everyone if process != 1]
        parents = {process: _parent_of(process) for process in everyone}
        family = {os.getpid()}
        while more := {one for one, parent in parents.items() if parent in family} - family:
            family |= more
        return sorted(family - {os.getpid()})

    def _signal_all(self, number: int) -> None:
        if self.has_namespaces:
            _send_signal(-1, number)
        else:
            for process in self._processes():
                _send_signal(process, number)

    def _kill_all(self) -> None:
        """Kill the processes of the program. The end of a namespace's init does that by itself.

        They are stopped first: a process that is stopped cannot start others.
        """
        if self.has_namespaces:
            return
        end = time.monotonic() + SECONDS_TO_KILL
        while self._processes() and time.monotonic() < end:
            self._signal_all(signal.SIGSTOP)
            self._signal_all(signal.SIGKILL)
            self._reap()
            if not self.reads_proc:
                break
        if self.temporary:
            shutil.rmtree(self.temporary, ignore_errors=True)


def _may_everybody_read(settings: Settings) -> bool:
    """Return whether a program finds its files if it is nobody."""
    names = [settings["command"][0], settings["folder"], *settings["needed"]]
    for name in map(Path, names):
        if any(not each.stat().st_mode & 0o001 for each in name.resolve().parents):
            return False
        if not name.stat().st_mode & 0o004:
            return False
    return True


def _send_signal(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _facts_of(process: int) -> dict[str, int]:
    """Return the bytes of anonymous and shared memory of a process, and whether it is stopped."""
    found = {"RssAnon": 0, "RssShmem": 0, "is_stopped": 0}
    try:
        lines = Path(f"/proc/{process}/status").read_text(errors="replace").splitlines()
    except OSError:
        return found
    for line in lines:
        name, _, rest = line.partition(":")
        if name == "State":
            found["is_stopped"] = int(rest.strip().startswith("T"))
        elif name in found:
            found[name] = int(rest.split()[0]) << 10
    return found


def _parent_of(process: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return 0
    state, parent = stat.rpartition(")")[2].split()[:2]
    return 0 if state == "Z" else int(parent)


def _counts_processes_by_namespace() -> bool:
    """Return whether a limit on processes counts those of this namespace only."""
    version = platform.release().split(".")
    return (int(version[0]), int(version[1])) >= (5, 14)


def _drop_rights(libc: Libc) -> None:
    """Become the ordinary user of the namespace."""
    _drop_capabilities(libc)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(INSIDE, INSIDE, INSIDE)
        os.setresuid(INSIDE, INSIDE, INSIDE)


def _drop_capabilities(libc: Libc) -> None:
    """Give up all rights of root but those of the owner of files, for the next program."""
    for capability in range(LAST_CAPABILITY + 1):
        try:
            libc.prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # this kernel knows no more of them
            break


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def _filter_system_calls(libc: Libc, code: bytes) -> None:
    program = _FilterProgram(len(code) // 8, code)
    libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program))


if __name__ == "__main__":
    main()
