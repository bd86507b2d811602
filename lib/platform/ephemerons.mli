(** The weak pointers and ephemerons of domains that end.

    The collector sweeps a domain's weak pointers in the last phase of its cycle, a part at a time. Before
    OCaml 5.5, a domain that ends between two parts is waited for in that phase for ever: all other domains
    run, and the program stands still (github.com/ocaml/ocaml, issue 14349, pull request 14722). One that ends
    in that phase before its first part hands on weak pointers that are never swept, and may point to nothing
    (pull request 14734). Domains of Weft come and go, and may end right after a collection. *)

external sweep_at_end_of_domains : unit -> unit = "weft_sweep_ephemerons_at_end"
[@@noalloc]
(** From now on each domain of the program that ends sweeps its own first, if that phase has begun or may
    begin before they are handed on. Calls after the first one change nothing. *)
