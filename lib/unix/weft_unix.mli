(** Sockets, pipes and commands for fibers: a fiber that waits for them holds no domain.

    The few calls that a program which computes needs to serve clients and to run other programs. They work on
    the descriptors of [Unix] and have the names of its functions; their [Unix.Unix_error]s name the system
    call (["read"], ["write"], ["accept"], ["connect"], ["poll"]). What is not here ([bind], [setsockopt],
    [shutdown], ...) is [Unix]'s own. For datagrams, wait with {!wait_readable} or {!wait_writable}, then call
    [Unix.recvfrom] or [Unix.sendto] on a non-blocking socket. Files on disks are always ready: a read holds
    its domain until the disk has answered, unless it is in {!Weft.blocking}.

    {b Waiting.} Each function first tries. If the system call would wait, the fiber is suspended until the
    descriptor is ready. One thread waits for all descriptors, in [poll]; it is no domain, and takes no
    signals; the first wait starts it. While there is nothing to wait for it sleeps; after 0.1 s of that it
    ends. A thread outside all pools enters the default pool while it waits, as for {!Weft.run}.

    {b Cancellation.} Each function that may suspend, but {!stop}, is a cancellation point, whether it waits
    or not. Cancellation is checked before the system call, so bytes that were read are always returned. Each
    wait ends with {!Weft.Cancel} and its exceptions, with {!Weft.Pool.Closed} if the fiber's pool is closed,
    whatever its [timeout], and with {!Weft.Cancel.exception-Timeout} (of {!run}, {!Timed_out}) after
    [timeout] seconds. A call with a [timeout] of 0 or less tries, and does not wait ({!run} starts the
    program and stops it at once, which waits for its end). A pool that is being closed first waits for its
    other timers, such as those of {!Weft.sleep} and {!Weft.Cancel.with_timeout}.

    {b Peers that vanish.} Reading from one that has closed its side is the end of the stream, 0. Other losses
    are [Unix.Unix_error] with [ECONNRESET], [EPIPE] and the like. {!write}, {!single_write} and
    {!write_string} never cause SIGPIPE: our program need not ignore it, which its children would inherit.
    Sockets are written with [MSG_NOSIGNAL]; other descriptors with SIGPIPE masked in the thread for that
    call, and taken away if it has come.

    {b Blocking descriptors.} {!socket}, {!socketpair}, {!pipe} and {!accept} make descriptors that are
    non-blocking and closed on exec. {!accept} and {!connect} make their argument non-blocking. {!read} and
    {!write} change no flags: of a socket they never wait, whatever its flags. Any other blocking descriptor
    (standard input, a pipe of [Unix.pipe]) is used only when it is ready; if somebody else takes what was
    there, the call may hold a domain. Such a descriptor is written in pieces of at most 512 bytes, for which
    a pipe that is ready has room: 1 MB takes some 2,000 of them.

    {b Closing.} Close with {!close}: fibers that wait for the descriptor get [EBADF], and the peer learns of
    it at once. [Unix.close] does neither: a fiber that waits may go on to wait, and the system keeps the file
    open until the next wait of any fiber begins or ends. A fiber that is just about to wait or to call the
    system may find that the number already means another file, as always in Unix: let the fiber that reads
    close, and let others [Unix.shutdown].

    {b Forks.} The child of a [Unix.fork] (possible only in programs of one domain) may go on with its copies
    of the fibers: it gets a thread of its own.

    {b Deadlocks} are not found while a fiber waits for a descriptor or a process; and one domain of its pool,
    asleep, is not ended meanwhile: it resumes the fiber.

    {b Cost.} A call that need not wait costs its system call; {!accept} four more, {!connect} two more. On a
    descriptor that is no socket, a read costs two more and a write five; if it is blocking, each costs one
    more again. A wait costs O(1) steps of the fiber (two locks and a system call) besides its suspension, and
    O(n) of the thread that polls, for the most waits there have ever been at once: each round of [poll] looks
    at all.

    {b Limits}: [doc/limits.md], section {e Sockets, pipes and programs}. *)

(** {1 Readiness} *)

val wait_readable : ?timeout:float -> Unix.file_descr -> unit
(** [wait_readable fd] returns when reading from [fd] (or accepting) would not wait: there are bytes, the peer
    has closed or vanished, or there is an error. For C libraries that bring descriptors of their own. *)

val wait_writable : ?timeout:float -> Unix.file_descr -> unit
(** [wait_writable fd] returns when writing to [fd] would not wait, or its connection is there or refused. *)

(** {1 Bytes} *)

val read : ?timeout:float -> Unix.file_descr -> bytes -> int -> int -> int
(** [read fd buf pos len] reads from 1 to [min len 65536] bytes into [buf], from [pos] on, and is their
    number; 0 at the end. Suspends while there are none. No bytes are lost if it is cancelled.
    @raise Invalid_argument if the range is none of [buf].
    @raise Unix.Unix_error *)

val read_all : ?timeout:float -> Unix.file_descr -> string
(** [read_all fd] is all that comes until the end. If it is cancelled, what was read is lost. O(bytes). *)

val single_write : ?timeout:float -> Unix.file_descr -> bytes -> int -> int -> int
(** [single_write fd buf pos len] writes from 1 to [min len 65536] of these bytes (if there is one; of a
    blocking descriptor that is no socket, at most 512) and is their number. Suspends while there is no room.
    @raise Invalid_argument if the range is none of [buf].
    @raise Unix.Unix_error [EPIPE] or [ECONNRESET] if the peer has gone. *)

val write : ?timeout:float -> Unix.file_descr -> bytes -> int -> int -> unit
(** [write fd buf pos len] writes all these bytes, by {!single_write}. If it raises, some may have been
    written. O(bytes). *)

val write_string : ?timeout:float -> Unix.file_descr -> string -> unit
(** [write_string fd s] writes all of [s], likewise. *)

val close : Unix.file_descr -> unit
(** [close fd] ends the waits for [fd] (they raise [EBADF]) and closes it. Never suspends; if the thread that
    polls looks at [fd], it blocks the calling thread until that has let go, some tens of microseconds. O(n)
    as a round of [poll]. *)

(** {1 Sockets and pipes} *)

val socket : Unix.socket_domain -> Unix.socket_type -> int -> Unix.file_descr
(** As [Unix.socket], non-blocking and closed on exec. *)

val socketpair : unit -> Unix.file_descr * Unix.file_descr
(** Two connected stream sockets, non-blocking and closed on exec. *)

val pipe : unit -> Unix.file_descr * Unix.file_descr
(** The end to read and the end to write of a new pipe, non-blocking and closed on exec. Most programs fail
    with such a descriptor ("Resource temporarily unavailable"). What a program is to inherit, make with
    [Unix.pipe]; these functions can use the other end. *)

val accept : ?timeout:float -> Unix.file_descr -> Unix.file_descr * Unix.sockaddr
(** [accept fd] is a new socket, non-blocking and closed on exec, for the next connection to the listening
    socket [fd], and the address of its peer. Suspends until there is one. Connections that vanish before they
    are accepted are passed over, with all errors of the network that accept(2) names. Any number of fibers
    may accept from one socket.
    @raise Unix.Unix_error [EMFILE] and the like: the connection is still there. *)

val connect : ?timeout:float -> Unix.file_descr -> Unix.sockaddr -> unit
(** [connect fd address] connects. Suspends until there is an answer. If it raises, or is cancelled, close
    [fd]: it cannot be used again. While the queue of a local (Unix) socket is full, it tries again every
    millisecond.
    @raise Unix.Unix_error [ECONNREFUSED] and the like. *)

(** {1 Commands} *)

type completed = {
  status : Unix.process_status;  (** how it has ended *)
  stdout : string;  (** all that it wrote there *)
  stderr : string;  (** likewise *)
}

exception Timed_out of completed
(** {!run} has stopped the program after [timeout] seconds: how it has ended, and what it had written. *)

val run :
  ?timeout:float ->
  ?grace:float ->
  ?group:bool ->
  ?env:string array ->
  ?stdin:string ->
  string list ->
  completed
(** [run (program :: arguments)] runs a program, which is looked for in our PATH, and waits until it has ended
    and closed its output; for a line of shell, [run ["sh"; "-c"; line]]. A script needs its first line
    ([#!]). [env] is its environment, instead of ours, and [stdin] what it reads, instead of nothing; it need
    not read all. A program that fails raises nothing: look at its [status].

    If the call is cancelled, or has lasted [timeout] seconds, it {!stop}s the program with [grace] and then
    raises; only {!Timed_out} has the output. Whatever happens, when [run] returns or raises, no descriptor is
    left, and the program has ended and is reaped, unless it may not be killed ({!stop}).

    {b Groups.} By default only the program itself gets signals; what it has started, such as the commands of
    a shell, goes on. With [~group:true] the program leads a process group of its own, and all of that is
    stopped, except what has left the group: [run] waits until the group is empty, and kills what is left of
    it after [grace]. What the program leaves behind when it ends by itself goes on. A group is not the
    default, because of terminals. Ctrl-C of the terminal does not reach a group of its own. It stops one only
    if our program turns Ctrl-C into cancellation, for example by [Sys.catch_break]; if our program dies of
    SIGINT, the group goes on. A program of the group that reads from the terminal is suspended by the system,
    for ever.

    {b At the end of our program} (by [exit], not by a signal), each program that a [run] still waits for gets
    SIGTERM, with [~group:true] its whole group. Nobody waits for their end. Children of [Unix.create_process]
    just go on.

    Suspends; any number of programs may run at a time, each with at most four of our descriptors (six while
    it starts). To start one holds the domain for some tenths of a millisecond.
    @raise Timed_out
      after [timeout] seconds; {!Weft.Cancel.exception-Timeout} instead, if the program may not be killed.
    @raise Invalid_argument if the list is empty.
    @raise Unix.Unix_error
      [ENOENT] and the like if the program cannot be started, [ENOEXEC] for a script without [#!]; [ECHILD],
      and its output is lost, if somebody else has reaped it: our program ignores SIGCHLD, or has a handler
      that waits for all children. *)

val waitpid : ?timeout:float -> int -> Unix.process_status
(** [waitpid pid] is how the child process [pid], of [Unix.create_process] for example, has ended; it is
    reaped. Suspends until then. If it is cancelled, the child goes on, and somebody else must wait for it. It
    is waited for by a descriptor ([pidfd_open]: Linux 5.3), else by a C thread for each child, which ends
    with the child. No handler of SIGCHLD is installed or needed, and those of the program stay; a program
    that ignores SIGCHLD has no children to wait for ([ECHILD]).
    @raise Invalid_argument
      if [pid] is no process id, from 1 to [0x7fff_ffff]: groups and "any child" cannot be waited for.
    @raise Unix.Unix_error [ECHILD] if it is no child, or somebody else has reaped it. *)

val stop : ?grace:float -> int -> Unix.process_status
(** [stop pid] ends the child process [pid] and reaps it: it sends SIGTERM and, if the child has not ended
    after [grace] seconds (default 5), SIGKILL. It is how the child has ended. Suspends until then, even if
    the fiber is cancelled or its pool is being closed, which waits for it.
    @raise Invalid_argument as {!waitpid}.
    @raise Unix.Unix_error
      [ECHILD] as {!waitpid}; [EPERM] at once if the child may not be killed (it runs as another user): it
      goes on, and somebody else must wait for it. *)
