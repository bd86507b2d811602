(** The program's signal handlers, called by Weft.

    OCaml calls a signal's handler at any safepoint of any thread. {!take_over} puts a {e recorder} in the
    place of each handler that the program has installed with [Sys.signal]. A recorder calls {!receive} with
    the signal and the program's handler, and returns: it never raises, so it may run on any domain. No thread
    masks anything, and a child process inherits nothing.

    A recorder belongs to one handler: [Sys.signal] returns the recorder, and putting that back restores the
    handler.

    A handler that is installed later is unknown until the next {!take_over}: until then OCaml calls it as
    without Weft.

    {b Two at once.} Which handler a signal has is found out by replacing it, and the program may replace it,
    too: a handler found in the place of a recorder is newer, and gets its own recorder. The default is never
    put back, since it might take the place of a handler: a recorder that does what the default does stands
    for it. And since [Sys.signal] of OCaml 5.3 is not atomic when two domains call it, a domain other than
    the first looks only at signals that had no handler at the last look; and if it finds that another thread
    has not yet written the function, it leaves that signal to the next look. A function that is written just
    between the two steps of this domain's own [Sys.signal] is lost: OCaml offers no atomic exchange.

    {b Left out.} Handlers of signals that a fault of the running code causes (SIGSEGV, SIGBUS, SIGFPE,
    SIGILL, SIGTRAP, SIGABRT, SIGSYS), of real-time signals, and those of C libraries, stay as they are. *)

type handler = int -> unit

val receive : (int -> handler -> unit) ref
(** Called by the recorders, at any safepoint of any thread, with a signal as [Sys] numbers it. Set once, by
    [Signals]. *)

val take_over : unit -> bool
(** Replaces the handlers that are not replaced yet; whether there are any handlers. A system call for each of
    twenty signals, and one more for each that has a handler. *)

val send_to_first_thread : int -> handler -> unit
(** [send_to_first_thread signal handler] makes the program's first thread, or another one that is not Weft's
    and does not mask the signal, call {!receive} with both; a system call of that thread ends with [EINTR].
    The signal itself is not sent again: the program may have restored the default meanwhile, and would end.
    (But if the first thread masks the signal, it is sent there, and stays pending.) On Linux a real-time
    signal, [SIGRTMAX - 2], carries the message; on other systems the signal is sent. *)
