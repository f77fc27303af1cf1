"""The wall around a student's program: what a forked host gives up before it runs the first line.

`prepare` is called once, in the warm process; `confine` in every host after the fork, and there is
no way back from it. Memory is bounded by limits relative to what the process already holds, files
by Landlock, everything else by a seccomp *allow-list*: a system call that nobody thought of does
not exist. Each layer closes what the others leave open: Landlock knows nothing of chmod, signals
and fork, and seccomp cannot see paths.

What remains visible is the names, sizes and link targets of files that cannot be read; not in a box
(`softmarks.sandbox.box`), where they are not there. A box also stands in for Landlock where the kernel
has none: a host then hides the last two places that it would share with others, on its own.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import os
import platform
import site
import stat
import struct
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import FileFinder
from pathlib import Path
from types import ModuleType

MACHINES = {"x86_64": "X86_64", "aarch64": "AARCH64"}

ALLOWED = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range
    open openat creat stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2
    readlink readlinkat getdents getdents64 getcwd chdir fchdir umask
    rename renameat unlink unlinkat ftruncate fsync fdatasync flock fadvise64
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 eventfd eventfd2
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    munmap mremap mprotect madvise brk msync
    futex set_robust_list set_tid_address rseq membarrier exit exit_group
    sched_yield sched_getaffinity sched_getparam sched_getscheduler
    sched_get_priority_max sched_get_priority_min getcpu getpriority
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend
    sigaltstack pause restart_syscall alarm getitimer setitimer kill tgkill
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage
    getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid
    getpgrp getpgid getsid uname sysinfo getrlimit getrandom
"""

# Refused with "Operation not permitted", which tells a person more than "Function not implemented".
REFUSED = """
    fork vfork execve execveat ptrace process_vm_readv process_vm_writev kcmp
    tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_getfd pidfd_send_signal
    socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg
    recvmmsg shutdown getsockname getpeername getsockopt setsockopt
    chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat futimesat
    setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
    removexattr lremovexattr fremovexattr
    mkdir mkdirat rmdir link linkat symlink symlinkat mknod mknodat truncate fallocate
    inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark
    name_to_handle_at open_by_handle_at
    shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl
    mq_open mq_unlink memfd_create splice tee vmsplice sendfile sync syncfs
    io_uring_setup io_uring_enter io_uring_register io_setup io_submit
    bpf perf_event_open userfaultfd add_key request_key keyctl seccomp
    unshare setns mount umount2 pivot_root chroot personality acct swapon swapoff
    setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset
    setpgid setsid setrlimit setpriority sched_setaffinity sched_setscheduler sched_setparam
    sched_setattr ioprio_set mlock mlock2 mlockall
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname reboot
    init_module finit_module delete_module kexec_load syslog quotactl iopl ioperm modify_ldt
"""

CLONE_THREAD = 0x10000
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
CLONE_NEW = 0x7E020000  # the seven kinds of new namespace
MAP_SHARED, MAP_PRIVATE, MAP_TYPE, MAP_ANONYMOUS = 0x1, 0x2, 0xF, 0x20
MAP_UNCOUNTED = 0x100 | 0x2000 | 0x40000  # GROWSDOWN, LOCKED, HUGETLB: no limit counts these
FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)  # DUPFD, flags, locks, DUPFD_CLOEXEC
IOCTL_COMMANDS = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5451, 0x5450)  # TCGETS(2) … FIONCLEX
PR_SET_DUMPABLE, PR_SET_NAME, PR_GET_NAME = 4, 15, 16
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
CAPABILITY_VERSION_3 = 0x20080522

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446  # the same on every machine
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_FILE, MAKE_REG, TRUNCATE = (
    1 << 1,
    1 << 2,
    1 << 3,
    1 << 5,
    1 << 8,
    1 << 14,
)
SCRATCH = WRITE_FILE | READ_FILE | READ_DIR | REMOVE_FILE | MAKE_REG | TRUNCATE

SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/usr/lib/locale",
    "/usr/share/zoneinfo",
    "/usr/share/fonts",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
)

GIB = 1 << 30
SCRATCH_BYTES, SCRATCH_NAMES = 64 << 20, 1000


@dataclass(frozen=True)
class Plan:
    """What a host is going to be confined by; made once, by the warm process."""

    why: str = ""  # why this machine cannot confine a host; "" when it can
    landlock: int = 0  # the kernel's Landlock ABI; 0 where a box stands in for it
    boxed: bool = False
    filter: bytes = b""  # the seccomp program
    readable: tuple[Path, ...] = ()

    @property
    def available(self) -> bool:
        return not self.why

    @property
    def rung(self) -> str:
        """The layers that hold, in words for a report."""
        layers = {
            "bubblewrap": self.boxed,
            f"Landlock ABI {self.landlock}": self.landlock,
            "seccomp": self.filter,
        }
        return ", ".join(layer for layer, holds in layers.items() if holds) if self.available else "none"


def prepare(readable: Sequence[Path], *, boxed: bool = False) -> Plan:
    """Find out what this machine offers, and build all that does not depend on the host.

    ``readable`` are the files and folders (with all below them) that a host may read, usually
    `readable_paths()`; ``boxed`` says that this process runs in a box. Never raises for a machine
    that cannot confine: the plan says why.
    """
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        here = f"{sys.platform} on {platform.machine()}"
        return Plan(why=f"confinement needs Linux on x86-64 or aarch64; this is {here}")
    try:
        abi = _landlock(LANDLOCK_CREATE, None, 0, 1)
    except OSError as error:
        if not (boxed and _can_hide()):
            return Plan(why=f"the kernel offers no Landlock ({error.strerror})")
        abi = 0
    try:
        program = allow_list()
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        return Plan(why=f"no seccomp filter could be built ({error})")
    importlib.import_module("resource")  # not in every host again
    there = tuple(path for path in readable if path.exists())
    return Plan(landlock=abi, boxed=boxed, filter=program, readable=there)


def confine(plan: Plan, scratch: Path, memory_mb: int) -> None:
    """Confine this process for good. It must have one thread, and its last open files.

    It may then read ``plan.readable``, do as it likes with plain files in the folder ``scratch``,
    and hold ``memory_mb`` MiB more than now. Raises OSError when a layer cannot be put up: the
    process must then end without running anybody's code.
    """
    if not plan.available:
        raise OSError(errno.ENOTSUP, plan.why)
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise OSError(errno.EBUSY, "a process with several threads cannot be confined")
    _limit(memory_mb)
    _forget_unreadable(plan)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if plan.landlock:
        _wall_off_files(plan, scratch)
    else:
        _hide(scratch)
    _drop_capabilities()
    _prctl(PR_SET_DUMPABLE, 0)
    # The last filter goes last: it refuses to load another one.
    _load(own_process_only(os.getpid()))
    _load(plan.filter)


# --- what a host may read


def readable_paths(libraries: Iterable[Path] = ()) -> list[Path]:
    """The standard library, the system's libraries, the packages that this process has imported.

    And ``libraries``: what these packages may import late. No folder in this list holds a ``site-packages``,
    where suites and solutions may lie.
    """
    sites = site_folders()
    kept_out = {*sites, Path(__file__).resolve().parents[1]}
    paths = {Path(name).resolve() for name in SYSTEM_FILES}
    for folder in library_folders():
        paths.update(_around(folder.resolve(), kept_out))
    paths.update(_imported_packages(sites))
    paths.update(path.resolve() for path in libraries)
    paths = {path for path in paths if not any(place.is_relative_to(path) for place in kept_out)}
    outermost = {
        path for path in paths if path.exists() and not any(parent in paths for parent in path.parents)
    }
    return sorted(outermost)


def library_folders() -> list[Path]:
    """Where Python's and the system's libraries lie. Installed packages may lie in them too."""
    folders = [Path(sysconfig.get_path(key)) for key in ("stdlib", "platstdlib")]
    folders += [Path(sysconfig.get_config_var("DESTSHARED") or folders[0] / "lib-dynload")]
    folders += map(_library_folder, (Path("/usr/lib"), Path("/usr/lib64"), Path(sys.base_prefix, "lib")))
    return folders


def _library_folder(folder: Path) -> Path:
    """Debian keeps libraries one level down, beside much that is none."""
    below = folder / (sysconfig.get_config_var("MULTIARCH") or ".")
    return below if below.is_dir() else folder


def site_folders() -> set[Path]:
    """Every folder of this machine in which installed packages may lie."""
    folders = {Path(sysconfig.get_path(key)) for key in ("purelib", "platlib")}
    folders.update(Path(name) for name in [*site.getsitepackages(), site.getusersitepackages()])
    for prefix in {Path(sys.base_prefix), Path("/usr"), Path("/usr/local")}:
        folders.update(prefix.glob("lib*/python3*/*-packages"))
    return {folder.resolve() for folder in folders}


def _around(folder: Path, kept_out: Iterable[Path]) -> Iterator[Path]:
    """``folder``, or its entries without those that are kept out. Links are left out: they lead elsewhere."""
    if folder in kept_out or not folder.exists():
        return
    if not any(place.is_relative_to(folder) for place in kept_out):
        yield folder
        return
    for entry in folder.iterdir():
        if not entry.is_symlink():
            yield from _around(entry, kept_out)


def _imported_packages(site_folders: Iterable[Path]) -> Iterator[Path]:
    """The outermost folder or file of each installed module in ``sys.modules``, and wheels' own libraries."""
    files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
    paths = [Path(file).resolve() for file in files if isinstance(file, str) and Path(file).is_absolute()]
    for folder in site_folders:
        outermost = {
            folder / path.relative_to(folder).parts[0] for path in paths if path.is_relative_to(folder)
        }
        for installed in (*outermost, *(folder.glob("*.libs") if outermost else ())):
            if not installed.name.startswith(("softmarks", "__")):
                yield installed


def _forget_unreadable(plan: Plan) -> None:
    """What cannot be read is not there to import: ``try: import x`` expects an ImportError.

    A host cannot list such a folder again either, so its finder is told what there is, for good.
    """
    readable = set(plan.readable)
    for name in sys.path:
        folder, finder = Path(os.path.realpath(name)), sys.path_importer_cache.get(name)
        if isinstance(finder, FileFinder) and readable.isdisjoint((folder, *folder.parents)):
            entries = {path.name for path in readable if path.parent == folder}
            listing = {"_path_cache": entries, "_path_mtime": folder.stat().st_mtime}
            vars(finder).update(listing, invalidate_caches=lambda: None)


# --- limits


def _limit(memory_mb: int) -> None:
    import resource  # not on Windows

    held = _held()
    more = memory_mb << 20
    wanted = {
        resource.RLIMIT_DATA: held[b"VmData"] + more,
        # Page tables of memory that was only read count here alone.
        resource.RLIMIT_AS: held[b"VmSize"] + more + GIB,
        resource.RLIMIT_FSIZE: 8 << 20,
        resource.RLIMIT_STACK: 8 << 20,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_SIGPENDING: 64,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))


def _held() -> dict[bytes, int]:
    """The memory lines of this process's status, in bytes."""
    lines = Path("/proc/self/status").read_bytes().splitlines()
    fields = (line.split() for line in lines if line.startswith(b"Vm"))
    return {name.rstrip(b":"): int(kib) << 10 for name, kib, _unit in fields}


# --- Landlock


def _wall_off_files(plan: Plan, scratch: Path) -> None:
    """No file but the readable ones and those in ``scratch``; as the ABI allows, no TCP and no signals."""
    files = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(plan.landlock, 16)) - 1
    network = 3 if plan.landlock >= 4 else 0
    scoped = 3 if plan.landlock >= 6 else 0
    ruleset = _landlock(LANDLOCK_CREATE, struct.pack("=QQQ", files, network, scoped), 24, 0)
    try:
        for path in plan.readable:
            # A package that was removed since is one thing less to read.
            with suppress(FileNotFoundError):
                _permit(ruleset, path, READ_FILE | READ_DIR, files)
        _permit(ruleset, Path(os.devnull), READ_FILE | WRITE_FILE | TRUNCATE, files)
        _permit(ruleset, scratch, SCRATCH, files)
        _landlock(LANDLOCK_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _permit(ruleset: int, path: Path, rights: int, handled: int) -> None:
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(beneath).st_mode):
            rights &= READ_FILE | WRITE_FILE | TRUNCATE
        _landlock(LANDLOCK_ADD, ruleset, 1, struct.pack("=Qi", rights & handled, beneath), 0)
    finally:
        os.close(beneath)


def _landlock(number: int, *arguments: int | bytes | None) -> int:
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments), "Landlock")


# --- in a box, without Landlock


def _hide(scratch: Path) -> None:
    """Cover all scratch folders with an empty one that is this host's alone, and the list of processes.

    Everything else in a box is read-only, and the same for all hosts.
    """
    user, group = os.geteuid(), os.getegid()
    _prctl(PR_SET_DUMPABLE, 1)  # else the next files are root's
    _checked(_libc().unshare(CLONE_NEWUSER | CLONE_NEWNS), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path("/proc/self", name).write_text(text)
    _cover(scratch.parent, 0, f"size={SCRATCH_BYTES},nr_inodes={SCRATCH_NAMES},mode=700")
    scratch.mkdir()
    os.chdir(scratch)
    _cover(Path("/proc"), MS_RDONLY, "size=4096,nr_inodes=1,mode=500")


def _cover(place: Path, flags: int, options: str) -> None:
    """Mount an empty folder in memory over ``place``."""
    flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC
    words = (b"softmarks", os.fsencode(place), b"tmpfs", ctypes.c_ulong(flags), options.encode())
    _checked(_libc().mount(*words), "mount")


def _can_hide() -> bool:
    """Whether that can be done here, tried in a child."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            _hide(Path(os.environ["TMPDIR"], "tried"))
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


# --- seccomp


def allow_list(machine: str = "") -> bytes:
    """The seccomp program of a host, for this machine or a named one ("X86_64", "AARCH64").

    Raises ImportError, RuntimeError or OSError where libseccomp is missing or too old.
    """
    seccomp = _pyseccomp()
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    architecture = getattr(seccomp.Arch, machine or MACHINES[platform.machine()])
    if not rules.exist_arch(architecture):
        rules.add_arch(architecture)
        rules.remove_arch(seccomp.system_arch())
    refuse = seccomp.ERRNO(errno.EPERM)

    def rule(action: int, name: str, *conditions: tuple[int, int, int]) -> None:
        """``conditions``: of argument number, the bits under a mask have a value."""
        number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
        # An older libseccomp knows fewer names; what it cannot name stays unknown to the host.
        if number != -1:
            masked = [seccomp.Arg(which, seccomp.MASKED_EQ, mask, value) for which, mask, value in conditions]
            rules.add_rule(action, number, *masked)

    for name in ALLOWED.split():
        rule(seccomp.ALLOW, name)
    for name in REFUSED.split():
        rule(refuse, name)
    whole, word = 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF
    rule(seccomp.ALLOW, "clone", (0, CLONE_THREAD | CLONE_NEW, CLONE_THREAD))
    rule(refuse, "clone", (0, CLONE_THREAD, 0))
    rule(seccomp.ALLOW, "mmap", (3, MAP_UNCOUNTED | MAP_TYPE, MAP_PRIVATE))
    rule(seccomp.ALLOW, "mmap", (3, MAP_UNCOUNTED | MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED))
    rule(refuse, "mmap", (3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS))
    rule(seccomp.ALLOW, "prlimit64", (0, word, 0))
    rule(seccomp.ALLOW, "renameat2", (4, word, 0))
    for command in FCNTL_COMMANDS:
        rule(seccomp.ALLOW, "fcntl", (1, word, command))
    for command in IOCTL_COMMANDS:
        rule(seccomp.ALLOW, "ioctl", (1, word, command))
    for command in (PR_SET_NAME, PR_GET_NAME):
        rule(seccomp.ALLOW, "prctl", (0, whole, command))
    with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def own_process_only(pid: int) -> bytes:
    """A second small program: ``kill`` and ``tgkill`` reach process ``pid`` alone."""
    kill, tgkill = {"x86_64": (62, 234), "aarch64": (129, 131)}[platform.machine()]
    load, equal, give = 0x20, 0x15, 0x06
    number, first_argument = 0, 16
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EPERM
    program = (
        (load, 0, 0, number),
        (equal, 1, 0, kill),
        (equal, 0, 2, tgkill),
        (load, 0, 0, first_argument),
        (equal, 0, 1, pid),
        (give, 0, 0, allow),
        (give, 0, 0, refuse),
    )
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _load(program: bytes) -> None:
    """Put a seccomp program in force, for good."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    _prctl(PR_SET_SECCOMP, 2, header)


def _pyseccomp() -> ModuleType:
    """pyseccomp, without the compiler and ldconfig that ctypes would start to find its libraries."""
    import ctypes.util

    search = ctypes.util.find_library
    known = {"c": "libc.so.6", "seccomp": "libseccomp.so.2"}
    ctypes.util.find_library = lambda name: known.get(name) or search(name)
    try:
        return importlib.import_module("pyseccomp")
    finally:
        ctypes.util.find_library = search


# --- the kernel


def _drop_capabilities() -> None:
    """Root without a capability is the owner of root's files, and no more than that."""
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    _checked(_libc().capset(header, bytes(24)), "capset")


def _prctl(option: int, value: int, more: bytes | None = None) -> None:
    _checked(_libc().prctl(option, ctypes.c_ulong(value), more, None, None), "prctl")


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
