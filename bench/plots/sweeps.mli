(** Figures of times against what was varied: domains, cutoffs, sizes. Each is drawn where there are at least
    two values of it; nothing is drawn of benchmarks whose time pauses set. *)

val by_domains : Colours.t -> Run.t -> Chart.t list
(** [by_domains colours run]: with the sequential program; the ideal (its time shared by the domains, as far
    as there are processors), or where it was not run that of the first method on one domain; and {!Amdahl}'s
    law, fitted to the first method of Weft's on no more domains than processors. *)

val by_cutoff : Colours.t -> Run.t -> Chart.t list
(** [by_cutoff colours run]: a figure for each number of domains; the default stands at the right end. With
    the sequential program, and its time shared by the domains. *)

val by_size : Colours.t -> Run.t -> Chart.t list
(** [by_size colours run]: a figure for each cutoff and number of domains. *)
