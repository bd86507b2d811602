(** Results files: what [weft bench] and [weft bench elastic] write with [--json], as data. [doc/results.md]
    has the keys and units. *)

open Weft_bench_harness

type skipped = { case : string; why : string }
(** A case of [weft bench elastic] that the system did not allow. *)

type t = {
  header : Header.t;  (** its kind is [Bench] or [Elastic] *)
  rows : Row.t list;
      (** not empty, unless cases were skipped; no two are of the same configuration. The texts of their
          grains are empty, since files have only its kind *)
  skipped : skipped list;
}

val same_configuration : Row.t -> Row.t -> bool
(** [same_configuration a b] tells whether benchmark, method, domains, cutoff and size are the same. *)

val read : string -> (t, string) result
(** [read path] are the results in that file ([-]: standard input). [Error] is one line for the user: the
    file, the place in it, and what is wrong. All is looked at: that every key is there and of its type, that
    numbers are finite and within their range, that the medians are those of the runs. Keys that are not known
    are passed over: newer versions of Weft may add some. *)

val of_json : Yojson.Safe.t -> (t, string) result
(** [of_json json] is the same for a value that has been read. *)

val to_json : t -> Yojson.Safe.t
(** [to_json t] is what {!of_json} reads. *)
