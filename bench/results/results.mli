(** Results files: what [weft bench] and [weft bench elastic] write with [--json], as data. [doc/results.md]
    lists the keys and units. *)

open Weft_bench_harness

type skipped = { case : string; why : string }
(** A case of [weft bench elastic] that the system did not allow. *)

type t = {
  header : Header.t;  (** its kind is [Bench] or [Elastic] *)
  rows : Row.t list;
      (** not empty, unless cases were skipped; no two have the same configuration. The texts in their grains
          are empty, since files contain only the kind of the grain *)
  skipped : skipped list;
}

val same_configuration : Row.t -> Row.t -> bool
(** [same_configuration a b] tells whether benchmark, method, domains, cutoff and size are the same. *)

val read : string -> (t, string) result
(** [read path] are the results in that file ([-]: standard input). [Error] is one line for the user: the
    file, the place in it, and what is wrong. Everything is checked: that every key is there and has its type,
    that numbers are finite and within their range, that the medians are those of the runs. Unknown keys are
    ignored, since newer versions of Weft may add some. *)

val of_json : Yojson.Safe.t -> (t, string) result
(** [of_json json] is the same for a JSON value. *)

val to_json : t -> Yojson.Safe.t
(** [to_json t] is the JSON value that {!of_json} reads as [t]. *)
