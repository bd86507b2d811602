(** The programs written against domainslib: what is compiled with both libraries, and must print the same.

    [weft bench compat] measures those that have a size to measure; the tests compare what all print. *)

type t = {
  name : string;
  run : domains:int -> size:int -> unit;
      (** prints its results, which depend on [size] alone. [domains] counts all, the calling one included *)
  small : int;  (** the size for tests *)
  measured : int option;  (** the size to measure: half a second or more on one domain; [None]: nothing to measure *)
}

val all : t list
