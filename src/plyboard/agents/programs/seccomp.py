"""The filter of system calls for outside programs, as a BPF program for seccomp."""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass

LOAD, JUMP_EQUAL, JUMP_FROM, JUMP_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in the data that a filter sees
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, UNKNOWN = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
NEW_NAMESPACES = 0x7E020000  # every flag of `clone` that makes a namespace
X32 = 0x40000000  # the first number of an older interface to the same calls
OWN_PROCESS = 0x7FFFFFFF  # stands for the id of the program, which nobody knows before it starts


@dataclass(frozen=True)
class _Machine:
    """The numbers of system calls on one kind of machine."""

    architecture: int
    clone: int
    unknown: tuple[int, ...]  # the C library has another way: clone3, memfd_create, io_uring_setup
    refused: tuple[int, ...]
    shared: tuple[int, ...]  # refused where its files and processes are among those of the user
    own: tuple[int, ...]  # there only for the process itself, whose number is 0
    send_to_thread: int  # tgkill: there only to the program itself
    has_x32: bool = False


# In both lists: socket, ptrace, process_vm_readv, process_vm_writev, shmget, msgget, semget, mount,
# umount2, pivot_root, chroot, unshare, setns, swapon, swapoff, reboot, init_module, delete_module,
# finit_module, kexec_load, acct, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd,
# open_by_handle_at, name_to_handle_at, settimeofday, clock_settime, clock_adjtime, adjtimex,
# sethostname, setdomainname, quotactl, lookup_dcookie, syslog; then with the same numbers
# mount_setattr, open_tree, move_mount, fsopen, fsmount, memfd_secret, pidfd_getfd, process_madvise.
#
# In `shared`: kill, tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal, setpriority,
# ioprio_set, all that change the mode, the owner, the times or the attributes of a file; in `own`:
# prlimit64, sched_setaffinity, sched_setscheduler, sched_setparam, sched_setattr.
_NEW = (442, 428, 429, 430, 432, 447, 438, 440)
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E, 56, (435, 319, 425),
        (41, 101, 310, 311, 29, 68, 64, 165, 166, 155, 161, 272, 308, 167, 168, 169, 175, 176, 313,
         246, 163, 250, 248, 249, 321, 298, 323, 304, 303, 164, 227, 305, 159, 170, 171, 179, 212,
         103, *_NEW),
        (62, 200, 129, 297, 424, 141, 251, 90, 91, 268, 452, 92, 93, 94, 260, 132, 235, 261, 280,
         188, 189, 190, 197, 198, 199),
        (302, 203, 144, 142, 314),
        234,
        has_x32=True,
    ),
    "aarch64": _Machine(
        0xC00000B7, 220, (435, 279, 425),
        (198, 117, 270, 271, 194, 186, 190, 40, 39, 41, 51, 97, 268, 224, 225, 142, 105, 106, 273,
         104, 89, 219, 217, 218, 280, 241, 282, 265, 264, 170, 112, 266, 171, 161, 162, 60, 18,
         116, *_NEW),
        (129, 130, 138, 240, 424, 140, 30, 52, 53, 452, 54, 55, 88, 5, 6, 7, 14, 15, 16),
        (261, 122, 119, 118, 274),
        131,
    ),
}  # fmt: skip


def filter_code(machine: str | None = None, *, is_shared: bool = False) -> bytes:
    """Return the filter for this kind of machine; empty if it is not known.

    Programs cannot open sockets, trace processes, mount, make namespaces, share memory with
    processes that they did not start, or change the system. Those that share the files and
    processes of the user can neither signal processes nor change what is known of files.
    """
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return b""
    code = [_load(ARCHITECTURE), _jump(JUMP_EQUAL, known.architecture, 1, 0), _return(KILL)]
    code.append(_load(NUMBER))
    if known.has_x32:
        code += [_jump(JUMP_FROM, X32, 0, 1), _return(UNKNOWN)]
    refused = (*known.refused, *known.shared) if is_shared else known.refused
    if is_shared:
        for number, process in (
            *((each, 0) for each in known.own),
            (known.send_to_thread, OWN_PROCESS),
        ):
            code += [_jump(JUMP_EQUAL, number, 0, 4), _load(FIRST_ARGUMENT)]
            code += [_jump(JUMP_EQUAL, process, 0, 1), _return(ALLOW), _return(REFUSE)]
    for numbers, answer in ((known.unknown, UNKNOWN), (refused, REFUSE)):
        for number in numbers:
            code += [_jump(JUMP_EQUAL, number, 0, 1), _return(answer)]
    code += [_jump(JUMP_EQUAL, known.clone, 0, 3), _load(FIRST_ARGUMENT)]
    code += [_jump(JUMP_SET, NEW_NAMESPACES, 0, 1), _return(REFUSE), _return(ALLOW)]
    return b"".join(code)


def _load(offset: int) -> bytes:
    return struct.pack("=HBBI", LOAD, 0, 0, offset)


def _jump(kind: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("=HBBI", kind, if_true, if_false, value)


def _return(answer: int) -> bytes:
    return struct.pack("=HBBI", RETURN, 0, 0, answer)
