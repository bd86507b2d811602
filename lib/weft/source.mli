(** The representation of delayed sequences ({!Parallel_seq}), after Westrick, Rainey, Anderson and Blelloch:
    Parallel block-delayed sequences, PPoPP 2022. Unlike there, elements are pushed, and any range of
    positions is a block. *)

type 'a pass = {
  positions : int;  (** the source has the positions from 0 to [positions - 1] *)
  offset : (int -> int) option;
      (** [offset p] is how many elements the positions below [p] give, if that is known without a call of the
          user's functions; [p] may be [positions] *)
  get : (int -> 'a) option;
      (** if given, each position has one element, which is [get p]; each call calls the user's functions
          again *)
  iterate : int -> int -> ('a -> unit) -> unit;
      (** [iterate first last push] pushes the elements of the positions [first] to [last] (included; at least
          one position), in order. Any number of tasks may iterate. If [push] raises, so does [iterate]. *)
}
(** A source made ready for one use. The number of positions, and the elements of each, depend on the source
    alone. *)

type 'a t = {
  known : int option;  (** how many elements there are, if that is known without a pass *)
  each : ('a -> unit) -> unit;  (** pushes all elements, in order, in the calling fiber alone *)
  pass : 'r. ('a pass -> 'r) -> 'r;
      (** calls the function once, with a pass, inside a pool; the pass ends when the function returns *)
  halves : ('a t * 'a t) option;  (** if it is the result of appending two sequences, these two *)
}

val of_pass : 'a pass -> 'a t
(** The source that always has this pass ready. The pass must know its [offset]. *)

val numbered_by : ?iterate:(int -> int -> ('a -> unit) -> unit) -> int -> (int -> 'a) -> 'a pass
(** [numbered_by n get] has the [n] positions whose elements [get] gives. [iterate], if given, does the same
    faster. *)

val piece : int
(** So many elements run between two polls. *)

val iterate_all : 'a pass -> ('a -> unit) -> unit
(** Pushes all elements, in order, and polls now and then. *)

val iterate_long : 'a pass -> int -> int -> ('a -> unit) -> unit
(** [iterate], for any number of positions: it polls before each {!piece}. *)

(** {1 Scans}

    To start in the middle, a scan must know the sum of the elements to the left. So a first iteration
    computes the sums of all blocks but the last. These blocks are the positions of the resulting source; they
    depend on the number of positions alone ({!Grain.scan_block}). *)

val scan : who:string -> ('a -> 'a -> 'a) -> 'a t -> 'a t
val scan_exclusive : who:string -> ('a -> 'a -> 'a) -> 'a -> 'a t -> 'a t

val mapi : who:string -> (int -> 'a -> 'b) -> 'a t -> 'b t
(** Counts the elements first if there is no [offset]. *)
