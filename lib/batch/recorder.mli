(** A recorder of batches, and a check of the results against the sequential meaning.

    A structure with a batch function of its own may have errors that do not show if its operations are
    applied one by one. [Make (S)] is [S], recorded: use it in place of [S], run the program, and then replay
    the recording against the sequential meaning, [S.apply]. The first result that differs shows where the
    error is.

    {[
      module Recorded = Weft_batch.Recorder.Make (S)
      module B = Weft_batch.Make_generic (Recorded)

      let b = B.create (Recorded.record Until_stopped (S.create ()))

      (* ... B.exec b op, by many tasks ... *)
      let recording = B.exclusive b Recorded.recording

      let () =
        match Recorded.replay meaning (S.create ()) recording with
        | None -> ()
        | Some difference -> prerr_endline (Weft_batch.Recorder.explain difference)
    ]}

    Every operation is recorded with its result, even if it is applied in place: some ten words each. The
    function of an [exclusive] is not recorded: if it changes the structure, replays differ.

    {b Cost.} {!Make.apply}, {!Make.record} and {!Make.stop} are O(1), beside the operation; {!Make.run} is
    O(m) for a batch of m, and O(m log m) with a [rank]. {!Make.val-recording}, {!Make.batches} and
    {!Make.operations} are O(batches); {!explain} is O(length). {!Make.replay}, {!Make.save} and {!Make.load}
    are linear in the size of the recording, beside the operations and functions that they call. *)

type difference = {
  batch : int;  (** its number, from 1: the first after the recording began *)
  index : int;  (** the number of the operation in the batch, in order of arrival, from 0 *)
  operation : string;
  expected : string;  (** the result by the sequential meaning *)
  got : string;  (** the recorded result *)
}
(** Where a replay differs from the recording. *)

val explain : difference -> string
(** One line, such as ["batch 12, operation 3: Remove 17: expected true, got false"]. *)

module Make (S : Structures.GENERIC) : sig
  (** {1 The recorded structure} *)

  type 'v t
  (** A structure of [S] that is recorded. *)

  type ('v, 'a) op = ('v, 'a) S.op
  type 'v packed = 'v S.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v t -> ('v, 'a) op -> 'a
  (** [S.apply], recorded as a batch of one. *)

  val run : ('v t -> 'v packed array -> unit) option
  (** [S.run], recorded as one batch. *)

  (** {1 Recording} *)

  (** Which batches are kept. *)
  type 'v extent =
    | Until_stopped  (** all: memory is not bounded *)
    | First of int  (** this many, from the beginning *)
    | Last of int * 'v S.t
        (** the last ones, this many. The structure must be in the state that the recorded one has at the
            beginning, and must not be used otherwise. When a batch is dropped, its operations are applied to
            this structure, one by one, which costs as much again: so it has the state before the first kept
            batch, and the batches can be replayed on it. *)

  type 'v rank = { rank : 'a. ('v, 'a) op -> int }

  val record : ?rank:'v rank -> 'v extent -> 'v S.t -> 'v t
  (** [record extent s] is [s], recorded from now on; do not use [s] itself any more.

      [rank] is for structures that answer some kinds of operations before the others of the batch, whatever
      their order of arrival: batches are replayed in order of rank, then of arrival.
      @raise Invalid_argument if the number of batches is less than 1. *)

  val stop : 'v t -> unit
  (** [stop t] ends the recording: batches that begin from now on are not recorded. Any thread may call it at
      any time. *)

  type 'v recording
  (** Batches in order. *)

  val recording : 'v t -> 'v recording
  (** The batches recorded so far. Call it while no other call is inside the structure, as in [exclusive]. *)

  val batches : 'v recording -> int
  (** The number of batches. *)

  val operations : 'v recording -> int
  (** The number of operations in all batches. *)

  (** {1 Replaying} *)

  type 'v meaning = {
    equal : 'a. ('v, 'a) op -> 'a -> 'a -> bool;  (** whether two results of that operation are the same *)
    show_result : 'a. ('v, 'a) op -> 'a -> string;
    show_op : 'a. ('v, 'a) op -> string;
  }
  (** Functions that compare and print. *)

  val replay : 'v meaning -> 'v S.t -> 'v recording -> difference option
  (** [replay meaning s recording] applies every operation to [s], which must be in the state that the
      structure had when the recording began, and returns the first difference: another result, an exception
      that prints differently, or an operation without a result. [None]: there is none. The client's functions
      (comparisons, updates) are called again.

      If operations failed only because their batch did, without an exception of their own, it is assumed that
      they changed nothing, and they are left out. *)

  (** {1 Files} *)

  type 'v any = Any : ('v, 'a) op -> 'v any

  val save : 'v meaning -> string -> 'v recording -> unit
  (** [save meaning path recording] writes a text: a line for each batch, and one for each operation, printed
      by [show_op] and [show_result], and escaped as in OCaml's strings. If one of these raises, so does
      [save], and leaves the file as it was.
      @raise Sys_error if the file cannot be written. *)

  val load : (string -> 'v any) -> string -> ('v recording, string) result
  (** [load of_string path] reads a recording that was saved. [of_string] reads what [show_op] wrote; it may
      raise. Results are then compared as [show_result] prints them, not by [equal]. [Error] is one line, with
      the number of the line of the file: it is not a recording, or it is cut short, or [of_string] raised.
      @raise Sys_error if the file cannot be read. *)
end
