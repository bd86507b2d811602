(** The stacks of ended fibers, which each domain keeps for new ones.

    Before OCaml 5.5 a domain that ends does not give them back (github.com/ocaml/ocaml, pull request 14940):
    a program whose domains come and go loses 0.7 KiB with each, and as much for each fiber that was alive at
    once. *)

external free_domain_stacks : unit -> unit = "weft_free_cached_stacks"
[@@noalloc]
(** Gives back those of the calling domain, which is about to end. *)
