(** Tables of functions: the stated cost of each, and how to call it with n things. *)

type t = {
  prefix : string;  (** the prefix of the functions' public names: ["Weft.Array."] *)
  files : string list;  (** the interfaces, each of whose values must have a case here *)
  sizes : int list;  (** n; 4 n is tried too *)
  in_pool : bool;  (** a task of a pool of one worker makes the calls; otherwise they come from outside *)
  cases : Testing.Growth.case list;
  except : (string * string list) list;  (** reasons, each with the functions for which there is no case *)
}

val sizes : int list -> int list
(** As many of the sizes as there is time for, at least one. *)

val check : t -> unit
(** Fails the test, and names the function, if a function does more work than stated. *)

val check_complete : t -> unit
(** Fails the test, and names the function, if a function has neither a case nor a reason, or a case names no
    function. *)

val check_stated : t -> unit
(** Fails the test, and names the function, if a docstring does not state the cost, or a rule states another
    cost than the function has here. *)

val function_of : Testing.Growth.case -> string
(** The name of its function, without the details after a comma. *)

(** {1 Ways to call}

    Each is a case: see {!Testing.Growth}. *)

type way = string -> (int -> unit -> unit) -> Testing.Growth.case

val constant : string -> (unit -> 'a) -> Testing.Growth.case
(** A call that does not depend on n. *)

val few_of : string -> (int -> 's) -> ('s -> 'a) -> Testing.Growth.case
(** [few_of name make f]: a few calls, each O(1), of something of size n. *)

val each_of : string -> (int -> 's) -> ('s -> int -> 'a) -> Testing.Growth.case
(** [each_of name make f]: n calls of something made for n are O(n). *)

val whole : string -> (int -> 's) -> ('s -> 'a) -> Testing.Growth.case
(** [whole name make f]: one call of something of size n is O(n). *)

val ignoring : ('a -> 'b) -> 'a -> unit -> unit

val repeat : int -> (int -> 'a) -> unit -> unit
(** [repeat n f ()] calls [f 0], ..., [f (n - 1)]. *)

val noting : (unit -> unit) -> ('a -> 'b) -> 'a -> 'b
val plus : (unit -> unit) -> int -> int -> int

val finish : unit -> unit
(** To be called when a case has run: ends fibers that it has left waiting. *)

(** {1 Waiting}

    In a pool of one worker. *)

val waiting : int -> (unit -> unit) -> unit
(** [waiting n f] starts [n] fibers that call [f], and returns when they wait there. They are cancelled before
    the next case. *)

val served : int -> (unit -> unit) -> (unit -> unit) -> unit -> unit
(** [served n f serve] does the same, and then calls [serve], which lets the fibers end. *)

val nested : int -> ((unit -> unit) -> unit) -> (unit -> 'a) -> unit -> unit
(** [nested n enter f] nests [n] calls of [enter], each inside the function that the last one has called, and
    calls [f] inside of them all. *)
