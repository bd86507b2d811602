(** Programs in other languages that compute benchmarks: processes that get requests and answer them.

    {1 The protocol}

    The program is started with one argument, the number of threads that work (including the main one if it
    takes part). It prints the line [weft-rival 1] when it is ready. Then it reads lines from its standard
    input, each a request of three words: a benchmark, a size and a cutoff (0: none, or the program's default
    chunk). It makes the input, computes, and prints one line: a JSON object with [seconds], the wall time of
    the computation alone, and [result], a string; or with [error], a string that says why it cannot. It frees
    what it has allocated for the run. It ends with exit code 0 when its input ends.

    Idle programs must not disturb others: {!settle} waits until a program uses no processor. *)

type t

exception Failed of string
(** A program did not follow the protocol; the text is one line and names it. The process has been ended. *)

val start : name:string -> program:string -> domains:int -> limit:float -> t
(** [start ~name ~program ~domains ~limit] starts the file [program] and waits until it is ready. Messages
    call it [name]. Here and below, the process is killed if it takes longer than [limit] seconds.
    @raise Failed if it does not start. *)

type answer = { result : string; sample : Weft_bench_harness.Meter.sample }
(** The time of the sample is the one that the program reports. Processor time, switches and memory are what
    Linux reports for the process between request and answer; a processor time that it does not report is 0,
    other figures are [None], as are the collections. *)

val ask : t -> benchmark:string -> size:int -> cutoff:int option -> answer
(** [ask t ~benchmark ~size ~cutoff] makes the program run once. If an exception interrupts the wait, the
    process is ended.
    @raise Failed if there is no proper answer. *)

val settle : t -> unit
(** [settle t] returns when the process has hardly used a processor for 20 ms (runtimes let their threads spin
    for a while), but after two seconds in any case. *)

val resident_bytes : t -> int
(** [resident_bytes t] is the memory that the process holds now; 0 if that is not known or the process has
    ended. *)

val stop : t -> unit
(** [stop t] ends the process, if it has not ended. Processes that are not stopped end with this program. *)

val stop_all : unit -> unit
(** [stop_all ()] stops all processes. *)

val is_alive : t -> bool
(** [is_alive t] is false once [t] has been ended by one of these functions. *)
