(** The weak pointers and ephemerons of domains that end.

    The collector sweeps a domain's weak pointers in the last phase of its cycle, a part at a time. Before
    OCaml 5.5, a domain that ends between two parts is waited for in that phase for ever: all other domains
    run, and the program stands still (github.com/ocaml/ocaml, issue 14349, pull request 14722). One that ends
    in that phase before its first part hands on weak pointers that are never swept, and may point to nothing
    (pull request 14734). Domains of Weft come and go, and may end right after a collection. *)

external hand_on_at_end_of_domains : unit -> unit = "weft_hand_on_ephemerons_at_end"
[@@noalloc]
(** From now on each domain of the program that ends sweeps its weak pointers, if they are being swept, and
    hands them on, before it stops for the collector again. Calls after the first one change nothing.

    In the runtime's hook for domains that end ([caml_domain_terminated_hook]), because no OCaml code runs in
    the domain any more. Cost: one step for each weak pointer of the domain, once. *)
