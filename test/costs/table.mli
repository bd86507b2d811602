(** Tables of functions: of each, what is stated of its cost, and how to call it with n things. *)

type t = {
  prefix : string;  (** of the functions' public names: ["Weft.Array."] *)
  files : string list;  (** the interfaces whose values have a case here, each of them *)
  sizes : int list;  (** n; 4 n is tried too *)
  in_pool : bool;  (** the calls are made by a task of a pool of one worker; else from outside *)
  cases : Testing.Growth.case list;
  except : (string * string list) list;  (** a reason, and for which functions there is no case *)
}

val sizes : int list -> int list
(** As many of them as there is time for: one at least. *)

val check : t -> unit
(** Fails the test, and names the function, if one does more work than stated. *)

val check_complete : t -> unit
(** Fails the test, and names the function, if there is neither a case nor a reason for it, or a case for what
    is not there. *)

val check_stated : t -> unit
(** Fails the test, and names the function, if its docstring does not state what it costs, or a rule states
    another cost than the function has here. *)

(** {1 Ways to call}

    Each is a case: see {!Testing.Growth}. *)

type way = string -> (int -> unit -> unit) -> Testing.Growth.case

val constant : string -> (unit -> 'a) -> Testing.Growth.case
(** A call that has no n. *)

val few_of : string -> (int -> 's) -> ('s -> 'a) -> Testing.Growth.case
(** [few_of name make f]: a call of something of size n is O(1), if few are made. *)

val each_of : string -> (int -> 's) -> ('s -> int -> 'a) -> Testing.Growth.case
(** [each_of name make f]: n calls of something made for n are O(n). *)

val whole : string -> (int -> 's) -> ('s -> 'a) -> Testing.Growth.case
(** [whole name make f]: one call of something of size n is O(n). *)

val ignoring : ('a -> 'b) -> 'a -> unit -> unit
val noting : (unit -> unit) -> ('a -> 'b) -> 'a -> 'b
val plus : (unit -> unit) -> int -> int -> int

(** {1 Waiting}

    In a pool of one worker. *)

val waiting : int -> (unit -> unit) -> unit
(** [waiting n f] starts [n] fibers that call [f], and returns when they wait there. They are cancelled before
    the next case. *)

val served : int -> (unit -> unit) -> (unit -> unit) -> unit -> unit
(** [served n f serve] is likewise, and then a call of [serve], at whose end the fibers can end, and end. *)

val nested : int -> ((unit -> unit) -> unit) -> (unit -> 'a) -> unit -> unit
(** [nested n enter f] enters [n] calls of [enter], each in the function that the last one has called; then it
    calls [f] inside of them all. *)
