"""The wall around a host: every attack is stopped by it, and succeeds where it is missing."""

from __future__ import annotations

import errno
import itertools
import json
import os
import platform
import secrets
import signal
import stat
import struct
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

import softmarks.sandbox
from softmarks.sandbox import breakout, confinement

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="confinement is for Linux")

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
X86 = platform.machine() == "x86_64"

# Serves one host after another, like the warm process: fork, let go of descriptors, confine, run.
FORKER = r"""
import ctypes, dataclasses, gc, importlib, json, mmap, os, select, signal, socket, sys, threading, time
from pathlib import Path
from softmarks.sandbox import confinement
for name in sys.argv[1:]:
    importlib.import_module(name)
plan = confinement.prepare(confinement.readable_paths())
gc.freeze()
print(json.dumps([plan.rung, plan.why, [str(path) for path in plan.readable]]), flush=True)

def become_host(request, plan):
    os.setsid()
    os.chdir(request["scratch"])
    os.environ["TMPDIR"] = request["scratch"]
    mode = request["mode"]
    if mode == "without seccomp":
        confinement._load = lambda program: None
    if mode == "without Landlock":
        confinement._wall_off_files = lambda plan, scratch: None
    if mode.startswith("ABI"):
        plan = dataclasses.replace(plan, landlock=int(mode.split()[1]))
    if mode != "free":
        confinement.confine(plan, Path(request["scratch"]), request["memory_mb"])
    space = {"__name__": "attack"}
    exec(request["source"], space)
    return space["attempt"](request["target"])

for line in sys.stdin:
    request = json.loads(line)
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(writing, 3)
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nothing, descriptor)
            os.closerange(4, 1024)
            try:
                reply = become_host(request, plan)
            except BaseException as error:
                reply = f"{type(error).__name__}: {error}"
            os.write(3, json.dumps(reply).encode())
        finally:
            os._exit(0)
    os.close(writing)
    text, deadline = b"", time.monotonic() + 20
    while select.select([reading], [], [], max(0, deadline - time.monotonic()))[0]:
        data = os.read(reading, 65536)
        if not data:
            break
        text += data
    os.close(reading)
    os.kill(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(json.dumps([json.loads(text) if text else None, status]), flush=True)
"""

PRELUDE = """
import ctypes, mmap, os, signal, socket, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)

def number(x86, arm):
    return x86 if os.uname().machine == "x86_64" else arm

def call(what, *arguments):
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    function = getattr(libc, what) if isinstance(what, str) else libc.syscall
    result = function(*words) if isinstance(what, str) else function(ctypes.c_long(what), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "got"

def attempt(target):
    globals().update(target)
"""


class Forker:
    """A program that forks a host for each request."""

    def __init__(self, scratch: Path, *packages: str) -> None:
        environment = {
            "PYTHONPATH": str(Path(softmarks.sandbox.__file__).parents[2]),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        command = [sys.executable, "-c", FORKER, *packages]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, env=environment, cwd=scratch.parent, **pipes)
        self.scratch = scratch
        self.rung, self.why, self.readable = json.loads(self.process.stdout.readline())

    def host(
        self, source: str, target: dict[str, Any], mode: str = "confined", memory_mb: int = 256
    ) -> tuple[str | None, int]:
        """What a host replies, and how it ended."""
        request = {"source": source, "target": target, "mode": mode, "memory_mb": memory_mb}
        self.process.stdin.write(json.dumps({**request, "scratch": str(self.scratch)}) + "\n")
        self.process.stdin.flush()
        reply, status = json.loads(self.process.stdout.readline())
        return reply, status

    def close(self) -> None:
        self.process.communicate()


@pytest.fixture(scope="module")
def forker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forker]:
    scratch = tmp_path_factory.mktemp("host") / "scratch"
    scratch.mkdir()
    made = Forker(scratch)
    assert made.why == "", "these tests need a kernel with Landlock, and libseccomp"
    yield made
    made.close()


@dataclass
class Scene:
    """What attacks aim at: hidden files, and a process that is none of theirs."""

    root: Path
    token: str
    pid: int
    address: int

    def fresh(self) -> dict[str, Any]:
        """A hidden folder as new, and where everything is."""
        folder = self.root / secrets.token_hex(4)
        folder.mkdir()
        file = folder / "hidden_suite.py"
        file.write_text(f"KEY = '{self.token}'\n")
        file.chmod(0o666)
        os.utime(file, (1, 1))
        where = {"file": str(file), "folder": str(folder), "new": str(folder / "new")}
        return {**where, "pid": self.pid, "address": self.address, "length": len(self.token)}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    token = secrets.token_hex(8)
    command = [sys.executable, "-ISc", breakout.BYSTANDER, token]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bystander:
        yield Scene(tmp_path_factory.mktemp("hidden"), token, bystander.pid, int(bystander.stdout.readline()))
        bystander.stdin.close()


# --- the attacks


def replies_got(_target: dict[str, Any], reply: str, _token: str) -> bool:
    return reply == "got"


def leaks(_target: dict[str, Any], reply: str, token: str) -> bool:
    return token in reply


def text_changed(target: dict[str, Any], _reply: str, token: str) -> bool:
    file = Path(target["file"])
    return not file.exists() or file.read_text() != f"KEY = '{token}'\n"


def attributes_changed(target: dict[str, Any], _reply: str, _token: str) -> bool:
    facts = Path(target["file"]).stat()
    return (stat.S_IMODE(facts.st_mode), facts.st_mtime) != (0o666, 1) or bool(os.listxattr(target["file"]))


def made_something(target: dict[str, Any], _reply: str, _token: str) -> bool:
    return os.path.lexists(target["new"])


@dataclass(frozen=True)
class Attack:
    """The body of ``attempt``, how its success is seen, and where its control may fail."""

    name: str
    body: str
    succeeded: Callable[[dict[str, Any], str, str], bool] = replies_got
    # Whether the same program succeeds unconfined: everywhere, for root, or on some machines.
    control: str = "everywhere"

    @property
    def source(self) -> str:
        return PRELUDE + textwrap.indent(textwrap.dedent(self.body), "    ")


READS = {
    "open": "return open(file).read()",
    "os.open": "return os.read(os.open(file, os.O_RDONLY), 999).decode()",
    "mmap": "return mmap.mmap(os.open(file, os.O_RDONLY), 0, prot=mmap.PROT_READ)[:].decode()",
    "C open": """
        text = ctypes.create_string_buffer(999)
        libc.read(libc.open(file.encode(), 0), text, 999)
        return text.value.decode()""",
    "C fopen": """
        libc.fopen.restype, text = ctypes.c_void_p, ctypes.create_string_buffer(999)
        libc.fgets(text, 999, ctypes.c_void_p(libc.fopen(file.encode(), b"r")))
        return text.value.decode()""",
    "import": "sys.path.insert(0, folder); import hidden_suite; return hidden_suite.KEY",
    "run_path": "import runpy; return runpy.run_path(file)['KEY']",
    "chdir and a relative path": "os.chdir(folder); return open('hidden_suite.py').read()",
    "a folder's descriptor": """
        above = os.open(folder, os.O_PATH)
        return os.read(os.open("hidden_suite.py", os.O_RDONLY, dir_fd=above), 999).decode()""",
    "O_PATH, then /proc/self/fd": "return open(f'/proc/self/fd/{os.open(file, os.O_PATH)}').read()",
    "/proc/self/root": "return open(f'/proc/self/root{file}').read()",
    "another process's root": "return open(f'/proc/{pid}/root{file}').read()",
    "hard link": "os.link(file, new); os.rename(new, 'link'); return open('link').read()",
    "hard link in the scratch folder": """
        try:
            os.link(file, 'hard'); return open('hard').read()
        finally:
            os.remove('hard')""",
    "symbolic link in the scratch folder": """
        try:
            os.symlink(file, 'soft'); return open('soft').read()
        finally:
            os.remove('soft')""",
    "rename into the scratch folder": "os.rename(file, 'moved'); return open('moved').read()",
    "scandir": "return ''.join(open(entry.path).read() for entry in os.scandir(folder))",
    "openat2": """
        above, how, size = ctypes.c_long(os.open(folder, os.O_PATH)), bytes(24), ctypes.c_long(24)
        opened = libc.syscall(ctypes.c_long(437), above, b"hidden_suite.py", how, size)
        return os.read(opened, 999).decode()""",
    "another process's memory by /proc": """
        memory = open(f"/proc/{pid}/mem", "rb", 0)
        memory.seek(address)
        return memory.read(length).decode()""",
    "another process's memory by process_vm_readv": """
        copy = ctypes.create_string_buffer(length)
        here = (ctypes.c_size_t * 2)(ctypes.addressof(copy), length)
        there = (ctypes.c_size_t * 2)(address, length)
        call("process_vm_readv", pid, here, 1, there, 1, 0)
        return copy.raw.decode()""",
    "another process's arguments": "return open(f'/proc/{pid}/cmdline').read()",
}

CONTENT = {
    "write": "open(file, 'r+').write('changed')",
    "append": "open(file, 'a').write('changed')",
    "open and truncate": "open(file, 'w')",
    "truncate": "os.truncate(file, 0)",
    "remove": "os.remove(file)",
    "rename": "os.rename(file, new)",
    "rename over": "open('mine', 'w').close(); os.rename('mine', file)",
    "write through O_PATH": "open(f'/proc/self/fd/{os.open(file, os.O_PATH)}', 'w')",
}

MADE = {
    "create": "open(new, 'w')",
    "mkdir": "os.mkdir(new)",
    "symlink": "os.symlink('x', new)",
    "hard link of its own file": "open('mine', 'w').close(); os.link('mine', new)",
    "mkfifo": "os.mkfifo(new)",
    "mknod": "os.mknod(new)",
    "bind a socket": "socket.socket(socket.AF_UNIX).bind(new)",
    "unnamed file, then link": """
        made = os.open(folder, os.O_TMPFILE | os.O_WRONLY)
        call('linkat', -100, f'/proc/self/fd/{made}'.encode(), -100, new.encode(), 0x400)""",
}

ATTRIBUTES = {
    "chmod": "os.chmod(file, 0o640)",
    "chmod by descriptor": "os.chmod(os.open(file, os.O_RDONLY), 0o640)",
    "fchmodat2": "call(452, -100, file.encode(), 0o640, 0)",
    "utime": "os.utime(file, (5, 5))",
    "futimes": "os.utime(os.open(file, os.O_RDONLY), (5, 5))",
    "setxattr": "call('setxattr', file.encode(), b'user.x', b'1', 1, 0)",
    "lsetxattr": "call('lsetxattr', file.encode(), b'user.x', b'1', 1, 0)",
    "setxattrat": """
        value = ctypes.create_string_buffer(b"1")
        arguments = (ctypes.c_uint64 * 2)(ctypes.addressof(value), 1)
        call(463, -100, file.encode(), 0, b"user.x", arguments, 16)""",
}

CALLS = {
    "list a folder": "return 'got' if os.listdir(folder) else ''",
    "glob": "import glob; return 'got' if glob.glob(folder + '/*') else ''",
    "chown": "os.chown(file, os.getuid(), os.getgid()); return 'got'",
    "read the password file": "return 'got' if 'root' in open('/etc/passwd').read() else ''",
    "read its own environment in /proc": "return 'got' if open('/proc/self/environ').read() else ''",
    "read its own memory map": "return 'got' if open('/proc/self/maps').read() else ''",
    "list processes": "return 'got' if os.listdir('/proc') else ''",
    "write to shared memory": """
        open('/dev/shm/softmarks-x', 'w')
        os.remove('/dev/shm/softmarks-x')
        return 'got'""",
    "read a device": "return 'got' if open('/dev/zero', 'rb').read(1) else ''",
    "watch a folder": """
        made = libc.inotify_init()
        return call('inotify_add_watch', made, folder.encode(), 0xFFF)""",
    "inotify_init1": "return call('inotify_init1', 0)",
    "name_to_handle_at": """
        handle, mount = ctypes.create_string_buffer(b"\\x80\\0\\0\\0", 200), ctypes.c_int()
        return call('name_to_handle_at', -100, file.encode(), handle, ctypes.byref(mount), 0)""",
    "mkdir in the scratch folder": "os.mkdir('sub'); os.rmdir('sub'); return 'got'",
    "mkfifo in the scratch folder": "os.mkfifo('fifo'); os.remove('fifo'); return 'got'",
    "fork": """
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return 'got'""",
    "clone3": """
        arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17)
        child = libc.syscall(ctypes.c_long(435), arguments, ctypes.c_long(88))
        if child == 0:
            os._exit(0)
        return 'got' if child > 0 and os.waitpid(child, 0) else ''""",
    "spawn": """
        child = os.posix_spawn(sys.executable, [sys.executable, '-ISc', ''], {})
        return 'got' if os.waitpid(child, 0)[1] == 0 else ''""",
    "subprocess": "import subprocess; subprocess.run([sys.executable, '-ISc', ''], check=True); return 'got'",
    "system": "return 'got' if os.system('true') == 0 else ''",
    "exec": """os.execv(sys.executable, [sys.executable, '-ISc', 'import os; os.write(3, b\\'"got"\\')'])""",
    "exec in memory": """
        made = os.memfd_create('x', 0)
        os.write(made, open(sys.executable, 'rb').read())
        os.execve(made, [sys.executable, '-ISc', 'import os; os.write(3, b\\'"got"\\')'], {})""",
    "memfd_create": "os.memfd_create('x'); return 'got'",
    "ptrace": "return call('ptrace', 0x4206, pid, 0, 0)",
    "pidfd_open": "return call(434, pid, 0)",
    "pidfd_getfd": "return call(438, libc.syscall(434, pid, 0), 0, 0)",
    "pidfd_send_signal": "return call(424, libc.syscall(434, pid, 0), 0, 0, 0)",
    "kill": "os.kill(pid, 0); return 'got'",
    "kill everything": "os.kill(-1, 0); return 'got'",
    "killpg": "os.killpg(os.getpgid(pid), 0); return 'got'",
    "kill the parent": "os.kill(os.getppid(), 0); return 'got'",
    "tgkill": "return call('tgkill', pid, pid, signal.SIGURG)",
    "sigqueue": "return call('sigqueue', pid, 0, 0)",
    "SIGIO to another process": """
        import fcntl
        fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, pid)
        return 'got'""",
    "prlimit of another": "import resource; resource.prlimit(pid, resource.RLIMIT_NOFILE); return 'got'",
    "priority of another": """
        os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid))
        return 'got'""",
    "affinity of another": "os.sched_setaffinity(pid, os.sched_getaffinity(pid)); return 'got'",
    "its own priority": "os.nice(1); return 'got'",
    "raise its own limit": """
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))
        return 'got'""",
    "IPv4 socket": "socket.socket(); return 'got'",
    "UDP socket": "socket.socket(type=socket.SOCK_DGRAM); return 'got'",
    "Unix socket": "socket.socket(socket.AF_UNIX); return 'got'",
    "socket pair": "socket.socketpair(); return 'got'",
    "netlink socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW); return 'got'",
    "SysV shared memory": "made = libc.shmget(0, 4096, 0o600); return call('shmctl', made, 0, None)",
    "SysV semaphores": "made = libc.semget(0, 1, 0o600); return call('semctl', made, 0, 0)",
    "SysV messages": "made = libc.msgget(0, 0o600); return call('msgctl', made, 0, None)",
    "stay dumpable": "return call('prctl', 4, 1, 0, 0, 0)",
    "outlive the parent": "return call('prctl', 1, 0, 0, 0, 0)",
    "asynchronous I/O": "return call(number(206, 0), 1, (ctypes.c_ulong * 1)())",
    "personality": "return call('personality', 0x0040000)",
    "set its user": "os.setuid(os.getuid()); return 'got'",
    "set its group": "os.setgid(os.getgid()); return 'got'",
    "its own affinity": "os.sched_setaffinity(0, os.sched_getaffinity(0)); return 'got'",
    "a seccomp filter of its own": """
        call('prctl', 38, 1, 0, 0, 0)
        code = ctypes.create_string_buffer(b"\\x06\\0\\0\\0\\0\\0\\xff\\x7f", 8)
        header = (ctypes.c_size_t * 2)(1, ctypes.addressof(code))
        return call('prctl', 22, 2, header, 0, 0)""",
    "a Landlock ruleset of its own": "return call(444, None, 0, 1)",
    "sync": "return call('syncfs', os.dup(3))",
    "splice": """
        a, b = os.pipe(), os.pipe()
        os.write(a[1], b'x')
        return call('splice', a[0], None, b[1], None, 1, 0)""",
    "1 GiB in one piece": "mmap.mmap(-1, 1 << 30, flags=0x22); return 'got'",
    "1 GiB in small pieces": """
        held = [mmap.mmap(-1, 8 << 20, flags=0x22) for _ in range(128)]
        return 'got'""",
    "1 GiB by brk": """
        libc.sbrk.restype = ctypes.c_long
        return 'got' if libc.sbrk(ctypes.c_long(1 << 30)) != -1 else ''""",
    "1 GiB by mremap": """
        mmap.mmap(-1, 4096, flags=0x22).resize(1 << 30)
        return 'got'""",
    "shared memory": "mmap.mmap(-1, 4096); return 'got'",
    "shared memory of a device": "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096); return 'got'",
    "memory that grows down": "mmap.mmap(-1, 4096, flags=0x122); return 'got'",
    "locked memory": "mmap.mmap(-1, 4096, flags=0x2022); return 'got'",
    "mlock": "return call('mlock', ctypes.create_string_buffer(4096), 4096)",
    "page tables": "mmap.mmap(-1, 8 << 30, flags=0x4022, prot=mmap.PROT_READ); return 'got'",
    "thread bomb": """
        over = threading.Event()
        try:
            for _ in range(200):
                threading.Thread(target=over.wait).start()
            return 'got'
        finally:
            over.set()""",
    "a big file": """
        try:
            with open('big', 'wb') as made:
                made.write(bytes(20 << 20))
            return 'got'
        finally:
            os.remove('big')""",
    "a big sparse file": """
        try:
            with open('big', 'wb') as made:
                made.truncate(1 << 30)
            return 'got'
        finally:
            os.remove('big')""",
    "fallocate": """
        try:
            with open('big', 'wb') as made:
                return call('fallocate', made.fileno(), 1, 0, 4096)
        finally:
            os.remove('big')""",
    "many open files": "held = [os.dup(3) for _ in range(100)]; return 'got'",
}

# The control of these may be refused by the machine, or by a container.
ON_SOME_MACHINES = {
    "new user namespace": "return call('unshare', 0x10000000)",
    "new user namespace by clone": """
        flags = ctypes.c_long(0x10000011)
        child = libc.syscall(ctypes.c_long(number(56, 220)), flags, None, None, None, None)
        if child == 0:
            os._exit(0)
        return 'got' if child > 0 and os.waitpid(child, 0) else ''""",
    "io_uring": "return call(425, 1, ctypes.create_string_buffer(200))",
    "keyring": "return call(number(250, 219), 0, -3, 1, 0, 0)",
    "userfaultfd": "return call(number(323, 282), 1)",
    "performance counters": "return call(number(298, 241), (ctypes.c_uint32 * 32)(1, 128), 0, -1, -1, 0)",
    "BPF": "return call(number(321, 280), 0, (ctypes.c_uint32 * 18)(2, 4, 4, 1), 72)",
    "POSIX message queue": """
        made = libc.mq_open(b'/softmarks', 0o102, 0o600, None)
        libc.mq_unlink(b'/softmarks')
        return 'got' if made >= 0 else ''""",
    "huge pages": "mmap.mmap(-1, 2 << 20, flags=0x40022); return 'got'",
    "kcmp": "return call(number(312, 272), os.getpid(), pid, 0, 0, 0)",
    "let others trace it": "return call('prctl', 0x59616D61, -1, 0, 0, 0)",
    "droppable memory": "mmap.mmap(-1, 4096, flags=0x28); return 'got'",
    "raise a hard limit": """
        import resource
        hard = resource.getrlimit(resource.RLIMIT_NICE)[1]
        resource.setrlimit(resource.RLIMIT_NICE, (hard + 1, hard + 1))
        return 'got'""",
    "secret memory": "return call(447, 0)",
}

FOR_ROOT = {
    "chroot": "os.chroot('.'); return 'got'",
    "new mount namespace": "return call('unshare', 0x20000)",
    "new network": "return call('unshare', 0x40000000)",
    "become nobody": "os.setuid(65534); return 'got'",
    "capabilities": """
        header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(1 << 21, 1 << 21)
        return call('capset', header, data)""",
    "read another user's file": """
        return 'got' if open('/etc/shadow').read() is not None else ''""",
    "host name": "socket.sethostname(socket.gethostname()); return 'got'",
    "fanotify": "return call('fanotify_init', 0, 0)",
    "open_by_handle_at": """
        handle, mount = ctypes.create_string_buffer(b"\\x80\\0\\0\\0", 200), ctypes.c_int()
        call('name_to_handle_at', -100, file.encode(), handle, ctypes.byref(mount), 0)
        return call('open_by_handle_at', os.open(folder, os.O_RDONLY), handle, 0)""",
}

ATTACKS = [
    *(Attack(f"read by {name}", body, leaks) for name, body in READS.items()),
    *(Attack(f"change by {name}", body, text_changed) for name, body in CONTENT.items()),
    *(Attack(f"make by {name}", body, made_something) for name, body in MADE.items()),
    *(Attack(f"attributes by {name}", body, attributes_changed) for name, body in ATTRIBUTES.items()),
    *(Attack(name, body) for name, body in CALLS.items()),
    *(Attack(name, body, control="on some machines") for name, body in ON_SOME_MACHINES.items()),
    *(Attack(name, body, control="for root") for name, body in FOR_ROOT.items()),
]


def run(forker: Forker, scene: Scene, attack: Attack, mode: str) -> tuple[bool, str]:
    """Whether an attack had its effect, and what it said."""
    target = scene.fresh()
    reply, status = forker.host(attack.source, target, mode)
    for left in forker.scratch.iterdir():
        left.unlink()
    return attack.succeeded(target, reply or "", scene.token), f"{reply!r}, exit {status}"


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_stopped_and_its_control_is_not(attack: Attack, forker: Forker, scene: Scene) -> None:
    """An attack has no effect in a confined host; the same program has its effect in a host that is not."""
    done, said = run(forker, scene, attack, "confined")
    assert not done, said
    done, said = run(forker, scene, attack, "free")
    if attack.control == "everywhere" and os.strerror(errno.ENOSYS) not in said:
        assert done, f"proves nothing: {said}"
    if attack.control == "for root":
        assert done == ROOT, f"needs root, and no more: {said}"


@pytest.mark.parametrize("abi", [1, 4])
def test_an_older_landlock_loses_nothing(abi: int, forker: Forker, scene: Scene) -> None:
    """What an older kernel's Landlock cannot forbid (truncate, links, TCP, signals) is stopped by seccomp."""
    words = ("link", "rename", "truncate", "kill", "socket", "signal", "read by open", "change by write")
    attacks = [attack for attack in ATTACKS if any(word in attack.name for word in words)]
    assert len(attacks) > 15
    assert {attack.name for attack in attacks if run(forker, scene, attack, f"ABI {abi}")[0]} == set()


@pytest.mark.parametrize(
    ("missing", "seen"),
    [
        ("without seccomp", {"fork", "attributes by chmod", "prlimit of another", "SysV shared memory"}),
        ("without Landlock", {"read by open", "list a folder", "change by write", "make by create"}),
    ],
)
def test_no_layer_is_enough_alone(missing: str, seen: set[str], forker: Forker, scene: Scene) -> None:
    """Each layer stops attacks that the other lets through."""
    attacks = [attack for attack in ATTACKS if attack.name in seen]
    assert {attack.name for attack in attacks if run(forker, scene, attack, missing)[0]} == seen


# --- system calls of another kind

MACHINE_CODE = """
    code = mmap.mmap(-1, 4096, flags=0x22, prot=7)
    code.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20; int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return "got" if ctypes.CFUNCTYPE(ctypes.c_int)(address)() else ""
"""


@pytest.mark.skipif(not X86, reason="x86-64 alone has system calls of two other kinds")
@pytest.mark.parametrize(
    "body", [MACHINE_CODE, "    return call(0x40000000 + 39)"], ids=["32-bit system call", "x32 system call"]
)
def test_a_foreign_system_call_kills(body: str, forker: Forker, scene: Scene) -> None:
    """A system call of another architecture ends the host: the filter cannot read its numbers."""
    reply, status = forker.host(PRELUDE + body, scene.fresh())
    assert (reply, status) == (None, -signal.SIGSYS)
    reply, status = forker.host(PRELUDE + body, scene.fresh(), "free")
    assert status in (0, -signal.SIGSEGV), "without a filter no SIGSYS"


# --- what must work

WORKS = {
    "read the standard library": "import this, inspect; return 'got' if inspect.getsource(inspect) else ''",
    "random bytes": "os.urandom(9); import random; random.SystemRandom().random(); return 'got'",
    "/dev/null": "open('/dev/null', 'w').write('x'); return 'got'",
    "temporary file": """
        import tempfile
        with tempfile.TemporaryFile() as file:
            file.write(b'x')
        with tempfile.NamedTemporaryFile() as file:
            file.write(b'x')
        return 'got'""",
    "its own pool of threads": """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(8) as pool:
            return 'got' if sum(pool.map(len, ['x'] * 100)) == 100 else \'\'""",
    "sqlite and decimal": """
        import decimal, sqlite3
        return 'got' if sqlite3.connect(':memory:').execute('select 1').fetchone() == (1,) else \'\'""",
    "time zones": "import zoneinfo; zoneinfo.available_timezones(); return 'got'",
    "signals to itself": """
        seen = []
        signal.signal(signal.SIGUSR1, lambda *_: seen.append('got'))
        os.kill(os.getpid(), signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR1)
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        signal.signal(signal.SIGALRM, lambda *_: None)
        time.sleep(0.01)
        return seen[1]""",
    "200 MiB": "held = bytearray(200 << 20); held[::4096] = bytes(51200); return 'got'",
    "import what is installed but not readable": """
        for name in ("pytest", "click", "_pytest.config"):
            try:
                __import__(name)
            except ModuleNotFoundError:
                pass
        import importlib
        importlib.invalidate_caches()
        import sched, xmlrpc.client
        return 'got'""",
    "name a thread": "threading.Thread(target=print).start(); return call('prctl', 15, b'x', 0, 0, 0)",
}


@pytest.mark.parametrize("name", WORKS)
def test_right_programs_do_not_suffer(name: str, forker: Forker, scene: Scene) -> None:
    """What a course's program does in good faith works in a confined host."""
    reply, _status = forker.host(Attack(name, WORKS[name]).source, scene.fresh())
    for left in forker.scratch.iterdir():
        left.unlink()
    assert reply == "got"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("os.fork()", "Operation not permitted"),
        ("socket.socket()", "Operation not permitted"),
        ("open(file)", "Permission denied"),
        ("bytearray(1 << 30)", "MemoryError"),
    ],
)
def test_a_refusal_says_what_it_is(call: str, message: str, forker: Forker, scene: Scene) -> None:
    """A student reads that something is not permitted, not that it does not exist."""
    reply, _status = forker.host(Attack("refused", call).source, scene.fresh())
    assert message in (reply or "")


# --- the proof


def proof(forker: Forker, mode: str) -> breakout.Proof:
    def run_confined(source: str, target: dict[str, Any]) -> str | None:
        return forker.host(source, target, mode)[0]

    return breakout.prove(run_confined, breakout.in_plain_child, rung=forker.rung)


def test_a_confined_host_is_proved_so(forker: Forker) -> None:
    """No attempt succeeds in a confined host, every need is met, every control succeeds."""
    found = proof(forker, "confined")
    assert found == breakout.Proof(True, forker.rung, (), ())
    assert found.rung.startswith("Landlock ABI ")
    assert found.rung.endswith(", seccomp")


@pytest.mark.parametrize("abi", [1, 4])
def test_an_older_landlock_is_proved_enough(abi: int, forker: Forker) -> None:
    """With what an older kernel's Landlock offers, no attempt succeeds either."""
    assert proof(forker, f"ABI {abi}") == breakout.Proof(True, forker.rung, (), ())


@pytest.mark.parametrize(
    ("mode", "failures"),
    [
        ("without seccomp", {"could change a file's mode", "could limit another process", "could fork"}),
        (
            "without Landlock",
            {"could read a hidden file", "could list a hidden folder", "could create a file outside"},
        ),
        ("free", {f"could {name}" for name in breakout.attempts("Landlock, seccomp")}),
    ],
)
def test_a_missing_layer_is_found(mode: str, failures: set[str], forker: Forker) -> None:
    """The proof fails, and says how, where a layer of the wall is missing."""
    found = proof(forker, mode)
    assert not found.confined
    assert failures <= set(found.failures)


def test_a_control_that_fails_proves_nothing() -> None:
    """Attempts that fail in the plain child too are void, and then a host does not count as confined."""

    def run_dead(_source: str, _target: dict[str, Any]) -> str | None:
        return None

    found = breakout.prove(run_dead, run_dead, rung="none")
    assert not found.confined
    assert set(found.void) == set(breakout.attempts("none"))
    assert set(found.failures) == {f"could not {name}" for name in breakout.NEEDS}


def test_a_proof_leaves_nothing_behind(
    forker: Forker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The canaries of a proof are removed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    proof(forker, "confined")
    assert list(tmp_path.iterdir()) == []
    assert list(forker.scratch.iterdir()) == []


def test_torch_computes_with_four_threads(tmp_path: Path) -> None:
    """PyTorch and NumPy, imported before the fork, compute in a confined host, with several threads."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    forker = Forker(scratch, "torch", "numpy")
    try:
        assert forker.host(Attack("compute", TORCH).source, {}, memory_mb=512) == ("got", 0)
        assert forker.host(breakout.NEEDS["compute with torch"], {}, memory_mb=512) == ("done", 0)
        reply, _status = forker.host("def attempt(target):\n    import torch; torch.zeros(1 << 30)", {})
        assert "can't allocate memory" in (reply or "")
    finally:
        forker.close()


TORCH = """
    import numpy, torch
    for threads in (1, 4):
        torch.set_num_threads(threads)
        layer = torch.nn.Linear(300, 300)
        loss = layer(torch.randn(300, 300)).softmax(-1).square().sum()
        loss.backward()
        assert torch.isfinite(layer.weight.grad).all()
    torch.save(layer.state_dict(), "weights.pt")
    layer.load_state_dict(torch.load("weights.pt"))
    x = numpy.random.default_rng(0).normal(size=(200, 200))
    assert numpy.allclose(numpy.linalg.inv(x) @ x, numpy.eye(200))
    numpy.save("x.npy", x)
    assert (numpy.load("x.npy", mmap_mode="r") == x).all()
    return "got"
"""


# --- what may be read


def test_no_readable_folder_holds_installed_packages(forker: Forker) -> None:
    """Suites and solutions may lie in site-packages, so no folder above one is readable as a whole."""
    readable = {Path(path) for path in forker.readable}
    site_folders = {folder for path in sys.path for folder in Path(path).glob("../*-packages")}
    site_folders |= set(Path(sys.base_prefix).glob("lib*/python3*/*-packages"))
    assert site_folders
    for folder in site_folders:
        assert not readable & {folder.resolve(), *folder.resolve().parents}


def test_only_imported_packages_are_readable(forker: Forker) -> None:
    """The packages that the warm process imported can be read; the engine and other packages cannot."""
    names = {Path(path).name for path in forker.readable if Path(path).parent.name == "site-packages"}
    assert "pyseccomp.py" not in names, "imported after the paths were named"
    assert "pytest" not in names
    assert "_pytest" not in names
    engine = Path(softmarks.sandbox.__file__).resolve()
    assert not [path for path in forker.readable if engine.is_relative_to(path)]
    assert confinement.__file__ not in forker.readable


def test_imported_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each imported package its outermost folder or file and the libraries beside it, no neighbour."""
    installed, checkout = tmp_path / "site-packages", tmp_path / "checkout"
    for name in ("box/inner/deep.py", "single.py", "box.libs/x.so", "softmarks_course/a.py", "secret/a.py"):
        (installed / name).parent.mkdir(parents=True, exist_ok=True)
        (installed / name).touch()
    checkout.mkdir()
    (checkout / "editable.py").touch()
    paths = [installed / "box/inner/deep.py", installed / "single.py", installed / "softmarks_course/a.py"]
    for path in [*paths, checkout / "editable.py"]:
        module = type(sys)(f"made_{path.stem}")
        module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(confinement, "site_folders", lambda: {installed})
    readable = {path for path in confinement.readable_paths() if path.is_relative_to(tmp_path)}
    assert readable == {installed / "box", installed / "box.libs", installed / "single.py"}


def test_an_unreadable_module_is_not_there_to_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder's finder finds the readable entries alone, also after the folder has changed."""
    (tmp_path / "open_one.py").touch()
    finder = FileFinder(str(tmp_path), (SourceFileLoader, [".py"]))
    assert finder.find_spec("open_one")
    os.utime(tmp_path, (1, 1))
    (tmp_path / "hidden_one.py").touch()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(sys, "path_importer_cache", {str(tmp_path): finder})
    confinement._forget_unreadable(confinement.Plan(readable=(tmp_path / "open_one.py",)))
    finder.invalidate_caches()
    assert finder.find_spec("open_one")
    assert finder.find_spec("hidden_one") is None


# --- where confinement is not to be had


def test_a_kernel_without_landlock_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Landlock the plan is not available and says why, and nothing is confined by it."""

    def refuse(*_arguments: object) -> int:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(confinement, "_landlock", refuse)
    plan = confinement.prepare([])
    assert not plan.available
    assert "Landlock" in plan.why
    assert plan.rung == "none"
    with pytest.raises(OSError, match="Landlock"):
        confinement.confine(plan, Path(), 100)


def test_a_machine_without_libseccomp_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without libseccomp there is no plan either: Landlock alone is not enough."""

    def missing() -> None:
        raise RuntimeError("Unable to find libseccomp")

    monkeypatch.setattr(confinement, "_pyseccomp", missing)
    plan = confinement.prepare([])
    assert not plan.available
    assert "libseccomp" in plan.why


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_another_system_is_named(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on Linux: the plan says so."""
    monkeypatch.setattr(sys, "platform", system)
    assert system in confinement.prepare([]).why


REFUSING = """
    import dataclasses
    from pathlib import Path
    from softmarks.sandbox import confinement
    plan = confinement.prepare([])
    {change}
    confinement.confine(plan, Path({scratch!r}), 100)
    return "got"
"""


@pytest.mark.parametrize(
    ("change", "scratch", "error"),
    [
        ("threading.Thread(target=time.sleep, args=(1,)).start()", ".", "several threads"),
        ("pass", "nowhere", "No such file"),
        ("plan = dataclasses.replace(plan, filter=b'')", ".", "prctl"),
        ("plan = dataclasses.replace(plan, filter=bytes([255] * 8))", ".", "prctl"),
        ("pass", ".", ""),
    ],
)
def test_half_a_wall_is_an_error(change: str, scratch: str, error: str, forker: Forker, scene: Scene) -> None:
    """A layer that cannot be put up is an OSError, so that the host ends before it runs anything."""
    source = PRELUDE + REFUSING.format(change=change, scratch=scratch)
    reply, _status = forker.host(source, scene.fresh(), "free")
    assert error in (reply or "")
    assert (reply == "got") == (error == "")


def test_a_host_has_no_capability_and_is_not_dumpable(forker: Forker, scene: Scene) -> None:
    """Nothing of root's powers is left, and the process cannot be looked into."""
    body = """
        header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
        libc.capget(header, data)
        return f"{list(data)} {libc.prctl(3)}" """
    reply, _status = forker.host(Attack("facts", body).source, scene.fresh(), "without seccomp")
    assert reply == "[0, 0, 0, 0, 0, 0] 0"


# --- the filter, instruction by instruction

ALLOW, KILL, ENOSYS, EPERM = 0x7FFF0000, 0x80000000, 0x50000 | errno.ENOSYS, 0x50000 | errno.EPERM
MACHINES = {"X86_64": 0xC000003E, "AARCH64": 0xC00000B7}
CALLED = ("mmap", "clone", "read", "fcntl", "ioctl", "prctl", "prlimit64", "execve")
NUMBERS = {
    "X86_64": dict(zip(CALLED, (9, 56, 0, 72, 16, 157, 302, 59), strict=True)),
    "AARCH64": dict(zip(CALLED, (222, 220, 63, 25, 29, 167, 261, 221), strict=True)),
}


def answer(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What a seccomp program says about one system call."""
    data = struct.pack("<iIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    code = list(struct.iter_unpack("=HBBI", program))
    accumulator, at = 0, 0
    while True:
        operation, true, false, value = code[at]
        at += 1
        match operation:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, value)[0]
            case 0x54:
                accumulator &= value
            case 0x05:
                at += value
            case 0x06:
                return value
            case 0x15:
                at += true if accumulator == value else false
            case 0x25:
                at += true if accumulator > value else false
            case 0x35:
                at += true if accumulator >= value else false
            case 0x45:
                at += true if accumulator & value else false
            case _:
                raise AssertionError(f"an instruction that this test does not know: {operation:#x}")


@pytest.fixture(scope="module", params=sorted(MACHINES))
def ask(request: pytest.FixtureRequest) -> Callable[..., int]:
    """Ask the filter of one machine about a system call by name."""
    machine = request.param
    program = confinement.allow_list(machine)
    return lambda name, *arguments: answer(
        program, MACHINES[machine], NUMBERS[machine].get(name, name), *arguments
    )


def test_memory_that_no_limit_counts_is_refused(ask: Callable[..., int]) -> None:
    """Private memory and mapped files pass; anonymous shared, growing, locked and huge memory does not."""
    for kind, anonymous, more in itertools.product(range(16), (0, 0x20), (0, 0x100, 0x2000, 0x40000, 0x4000)):
        counted = more in (0, 0x4000) and (kind == 2 or (kind == 1 and not anonymous))
        assert (ask("mmap", 0, 4096, 3, kind | anonymous | more) == ALLOW) == counted, (kind, anonymous, more)
    assert ask("mmap", 0, 4096, 3, 0x21) == EPERM


def test_only_threads_are_cloned(ask: Callable[..., int]) -> None:
    """A clone must be a thread of this process, in no new namespace."""
    assert ask("clone", 0x3D0F00) == ALLOW
    assert ask("clone", 0x1200011) == EPERM
    for namespace in (17, 25, 26, 27, 28, 29, 30):
        assert ask("clone", 0x3D0F00 | 1 << namespace) != ALLOW


def test_arguments_are_looked_at(ask: Callable[..., int]) -> None:
    """Of fcntl, ioctl, prctl and prlimit only the harmless commands pass."""
    passed = [command for command in (*range(50), *range(1020, 1040)) if ask("fcntl", 0, command) == ALLOW]
    assert passed == [*range(8), 36, 37, 38, 1030]
    passed = [command for command in range(0x5400, 0x5460) if ask("ioctl", 0, command) == ALLOW]
    assert passed == [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451]
    assert [option for option in range(80) if ask("prctl", option) == ALLOW] == [15, 16]
    assert ask("prlimit64", 0) == ALLOW
    assert ask("prlimit64", 1) != ALLOW


def test_what_nobody_thought_of_does_not_exist(ask: Callable[..., int]) -> None:
    """An unknown number is no system call, a well-known one is not permitted, another machine's kills."""
    assert ask("read") == ALLOW
    assert ask("execve") == EPERM
    assert {ask(number) for number in range(434, 560)} <= {ENOSYS, EPERM, ALLOW}
    assert [number for number in range(434, 560) if ask(number) == ALLOW] == [
        436,
        439,
    ]  # close_range, faccessat2


def test_a_foreign_architecture_is_killed() -> None:
    """The filter of one machine kills what comes by another machine's numbers."""
    assert answer(confinement.allow_list("X86_64"), MACHINES["AARCH64"], 0) == KILL
    assert answer(confinement.allow_list("AARCH64"), 0x40000028, 0) == KILL
    assert answer(confinement.allow_list("X86_64"), 0x40000003, 0) == KILL
    assert answer(confinement.allow_list("X86_64"), MACHINES["X86_64"], 0x40000000 + 39) == KILL
