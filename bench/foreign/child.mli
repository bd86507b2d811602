(** Programs in other languages that compute benchmarks: processes that are asked to run, and answer.

    {1 The protocol}

    The program is started with one argument, the number of threads that are to work (the main one included if
    it takes part). It prints the line [weft-rival 1] when it is ready. Then it reads lines from its standard
    input, each a request of three words: a benchmark, a size and a cutoff (0: none, or the program's default
    chunk). It makes the input, computes, and prints one line: a JSON object with [seconds], the wall time of
    the computation alone, and [result], a string; or with [error], a string that says why it cannot. What it
    has allocated for the run it gives back. It ends, with exit code 0, when its input ends.

    Idle programs must not disturb others: {!settle} waits until one rests. *)

type t

exception Failed of string
(** A program did something else; the text is one line and names it. The process has been ended. *)

val start : name:string -> program:string -> domains:int -> limit:float -> t
(** [start ~name ~program ~domains ~limit] starts the file [program] and waits until it is ready. [name] names
    it in messages. Here and below it is ended if it takes longer than [limit] seconds.
    @raise Failed if that fails. *)

type answer = { result : string; sample : Weft_bench_harness.Meter.sample }
(** The sample has the time that the program said; its processor time, switches and memory are what Linux says
    of the process between request and answer (0 where it does not), its collections 0. *)

val ask : t -> benchmark:string -> size:int -> cutoff:int option -> answer
(** [ask t ~benchmark ~size ~cutoff] has it run once. If something interrupts the waiting by an exception, the
    process is ended.
    @raise Failed if there is no proper answer. *)

val settle : t -> unit
(** [settle t] returns when the process has hardly used a processor for 20 ms (runtimes let their threads spin
    for a while), but after two seconds in any case. *)

val resident_bytes : t -> int
(** [resident_bytes t] is the memory that it holds now; 0 if that is not known, or it has ended. *)

val stop : t -> unit
(** [stop t] ends the process, if it has not ended. Whatever is started here and not stopped ends with this
    program. *)

val stop_all : unit -> unit
(** [stop_all ()] does that with all. *)

val is_alive : t -> bool
(** [is_alive t] is false once [t] has been ended by one of these functions. *)
