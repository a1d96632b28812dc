// A filter of system calls, as the kernel reads it: what namespaces do not separate. It is the same for every box.

type Machine = {
  arch: number;
  ioctl: number;
  socket: number;
  ptrace: number;
  processVmWritev: number;
  refused: readonly number[];
};

/** Numbers of system calls by processor. Refused: keys of the session, tracing of the kernel, modules, and ways around this filter. */
const MACHINES: { readonly [name: string]: Machine | undefined } = {
  x64: {
    arch: 0xc000003e,
    ioctl: 16,
    socket: 41,
    ptrace: 101,
    processVmWritev: 311,
    // add_key request_key keyctl bpf perf_event_open userfaultfd io_uring_setup open_by_handle_at kexec_load kexec_file_load
    // init_module finit_module delete_module pidfd_getfd
    refused: [248, 249, 250, 321, 298, 323, 425, 304, 246, 320, 175, 313, 176, 438],
  },
  arm64: {
    arch: 0xc00000b7,
    ioctl: 29,
    socket: 198,
    ptrace: 117,
    processVmWritev: 271,
    refused: [217, 218, 219, 280, 241, 282, 425, 265, 104, 294, 105, 273, 106, 438],
  },
};

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK belong to a network namespace. Others, like AF_VSOCK, lead outside from any. */
const SOCKETS = [1, 2, 10, 16];
/** Typing into a terminal as if somebody had: TIOCSTI, and TIOCLINUX, which pastes. */
const TYPING = [0x5412, 0x541c];

/** Taking hold of another process: PTRACE_ATTACH and PTRACE_SEIZE. */
const ATTACHING = [16, 0x4206];
/**
 * The first process of a box waits for the program, and ends the box with it. Whoever traces it stops it, and the box would never
 * end. No program needs that: its own processes have other numbers. Signals to it from inside are ignored by Linux.
 */
const FIRST_PROCESS = 1;

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const ALLOW = 0x7fff0000;
const refuse = (errno: number) => 0x00050000 | errno;

/** x86 has a second table of the same calls, from this number on. */
const X32 = 0x40000000;

/** Undefined if the processor is not known here; then no box is made. */
export function callFilter(machine: string): Buffer | undefined {
  const known = MACHINES[machine];
  if (known === undefined) return undefined;
  const sockets = SOCKETS.flatMap((kind) => [...unless(kind), give(ALLOW)]);
  const typing = TYPING.flatMap((command) => [...unless(command), give(refuse(EPERM))]);
  const attaching = ATTACHING.flatMap((request) => [
    jump(EQUAL, request, 0, 4),
    load(SECOND),
    ...unless(FIRST_PROCESS),
    give(refuse(EPERM)),
    give(ALLOW),
  ]);
  return Buffer.concat([
    load(ARCH),
    jump(EQUAL, known.arch, 1, 0),
    give(refuse(ENOSYS)),
    load(NUMBER),
    jump(AT_LEAST, X32, 0, 1),
    give(refuse(ENOSYS)),
    ...known.refused.flatMap((call) => [...unless(call), give(refuse(EPERM))]),
    jump(EQUAL, known.socket, 0, sockets.length + 2),
    load(FIRST),
    ...sockets,
    give(refuse(EAFNOSUPPORT)),
    jump(EQUAL, known.ptrace, 0, attaching.length + 2),
    load(FIRST),
    ...attaching,
    give(ALLOW),
    jump(EQUAL, known.processVmWritev, 0, 4),
    load(FIRST),
    ...unless(FIRST_PROCESS),
    give(refuse(EPERM)),
    give(ALLOW),
    jump(EQUAL, known.ioctl, 0, typing.length + 1),
    load(SECOND),
    ...typing,
    give(ALLOW),
  ]);
}

/** Where the kernel puts what is asked: the number of the call, the processor, the lower half of an argument. */
const [NUMBER, ARCH, FIRST, SECOND] = [0, 4, 16, 24];
const [EQUAL, AT_LEAST] = [0x15, 0x35];

/** The next instruction is left out if the value is another one. */
const unless = (value: number) => [jump(EQUAL, value, 0, 1)];
const load = (at: number) => instruction(0x20, 0, 0, at);
const give = (answer: number) => instruction(0x06, 0, 0, answer);
const jump = (test: number, value: number, yes: number, no: number) => instruction(test, yes, no, value);

function instruction(code: number, yes: number, no: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
