(** Batches as they happened, and what they should have done.

    A structure with a batch function of its own may go wrong in ways that the operations alone, made one by
    one, never show. [Make (S)] is [S], recorded: use it in place of [S], run the program, and have the
    recording replayed against the sequential meaning, [S.apply]. The first answer that differs is the place
    to look at.

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

    What is recorded is every operation, also those that are applied in place, with its result: some ten words
    each. What is done by [exclusive] is not seen: if that changes the structure, replays differ.

    {b Cost.} {!Make.apply}, {!Make.record} and {!Make.stop} are O(1), beside the operation; {!Make.run} is
    O(m) for a batch of m, and O(m log m) with a [rank]. {!Make.val-recording}, {!Make.batches} and
    {!Make.operations} are O(batches); {!explain} is O(length). {!Make.replay}, {!Make.save} and {!Make.load}
    are linear in what is recorded, beside the operations and functions that they call. *)

type difference = {
  batch : int;  (** its number, from 1: the first after the recording began *)
  index : int;  (** of the operation in the batch, in order of arrival, from 0 *)
  operation : string;
  expected : string;  (** what the sequential meaning gives *)
  got : string;  (** what was recorded *)
}
(** Where a replay differs from what was recorded. *)

val explain : difference -> string
(** One line, such as ["batch 12, operation 3: Remove 17: expected true, got false"]. *)

module Make (S : Structures.GENERIC) : sig
  (** {1 The recorded structure} *)

  type 'v t
  (** A structure of [S] that is recorded. *)

  type ('v, 'a) op = ('v, 'a) S.op
  type 'v packed = 'v S.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v t -> ('v, 'a) op -> 'a
  (** That of [S]; recorded as a batch of one. *)

  val run : ('v t -> 'v packed array -> unit) option
  (** That of [S], recorded as one batch. *)

  (** {1 Recording} *)

  (** What is kept of the batches. *)
  type 'v extent =
    | Until_stopped  (** all: memory is not bounded *)
    | First of int  (** this many, from the beginning on *)
    | Last of int * 'v S.t
        (** this many, up to the end. They are replayed on this structure: it must be as the recorded one is
            at the beginning, and not be used otherwise. It is kept as it was before the first of them: what
            falls out is applied to it, one operation after the other, at their cost once more. *)

  type 'v rank = { rank : 'a. ('v, 'a) op -> int }

  val record : ?rank:'v rank -> 'v extent -> 'v S.t -> 'v t
  (** [record extent s] is [s], recorded from now on; [s] must not be used otherwise.

      [rank] is for structures that answer some kinds of operations before the others of the batch, whatever
      their order of arrival: batches are replayed in order of rank, then of arrival.

      @raise Invalid_argument if the number of batches is less than 1. *)

  val stop : 'v t -> unit
  (** [stop t] ends the recording: what begins from now on is not recorded. At any time, by anyone. *)

  type 'v recording
  (** Batches in order. *)

  val recording : 'v t -> 'v recording
  (** What has been recorded so far. While nobody is at the structure, as in [exclusive]. *)

  val batches : 'v recording -> int
  (** How many. *)

  val operations : 'v recording -> int
  (** How many, in all batches. *)

  (** {1 Replaying} *)

  type 'v meaning = {
    equal : 'a. ('v, 'a) op -> 'a -> 'a -> bool;  (** whether two results of that operation are the same *)
    show_result : 'a. ('v, 'a) op -> 'a -> string;
    show_op : 'a. ('v, 'a) op -> string;
  }
  (** What it takes to compare and to print. *)

  val replay : 'v meaning -> 'v S.t -> 'v recording -> difference option
  (** [replay meaning s recording] applies every operation to [s], which must be as the structure was when the
      recording began, and is the first difference: another result, or an exception that prints differently,
      or an operation without a result. [None]: there is none. What the client's functions do (comparisons,
      updates) they do again.

      Operations that failed because their batch did, without an exception of their own, are taken to have
      changed nothing, and left out. *)

  (** {1 Files} *)

  type 'v any = Any : ('v, 'a) op -> 'v any

  val save : 'v meaning -> string -> 'v recording -> unit
  (** [save meaning path recording] writes a text: a line for each batch, and one for each operation with what
      [show_op] and [show_result] make of it, escaped as in OCaml's strings.

      @raise Sys_error if the file cannot be written. *)

  val load : (string -> 'v any) -> string -> ('v recording, string) result
  (** [load of_string path] is a recording that was saved. [of_string] reads what [show_op] wrote; it may
      raise. Results are then compared as [show_result] prints them, not by [equal]. [Error] is one line, with
      the number of the line of the file: not a recording, cut short, or not understood by [of_string].

      @raise Sys_error if the file cannot be read. *)
end
