(** What delayed sequences are made of, after Westrick, Rainey, Anderson and Blelloch: Parallel block-delayed
    sequences, PPoPP 2022; but elements are pushed, and any range of positions is a block. *)

type 'a pass = {
  positions : int;  (** the source has the positions from 0 to [positions - 1] *)
  offset : (int -> int) option;
      (** [offset p] is how many elements the positions below [p] give, if that is known without calling
          anything of the user's; [p] may be [positions] *)
  iterate : int -> int -> ('a -> unit) -> unit;
      (** [iterate first last push] pushes what the positions [first] to [last] (included, not empty) give, in
          order. Any number of tasks may iterate. What [push] raises leaves [iterate]. *)
}
(** A source made ready for one use. Positions, and what belongs to which, depend on the source alone. *)

type 'a t = {
  known : int option;  (** how many elements there are, if that is known without a pass *)
  each : ('a -> unit) -> unit;  (** pushes all elements, in order, by the caller alone *)
  pass : 'r. ('a pass -> 'r) -> 'r;  (** calls once, inside a pool; the pass is over when that returns *)
  halves : ('a t * 'a t) option;  (** what it is appended of, and nothing else *)
}

val of_pass : 'a pass -> 'a t
(** The source that is always ready. The pass must know its [offset]. *)

(** {1 Scans}

    To start in the middle, a scan must know the sum of what is to the left. A first iteration makes the sums
    of all blocks but the last; blocks are the positions of the source that results. They depend on the number
    of positions alone ({!Grain.scan_block}). *)

val scan : who:string -> ('a -> 'a -> 'a) -> 'a t -> 'a t
val scan_exclusive : who:string -> ('a -> 'a -> 'a) -> 'a -> 'a t -> 'a t

val mapi : who:string -> (int -> 'a -> 'b) -> 'a t -> 'b t
(** Counts the elements first if there is no [offset]. *)
