(** One cause may be seen in the whole program and in many of its regions. *)

type said = {
  finding : Finding.t;
  about : string;  (** the lock or channel; empty if it is about none *)
  moments : Intervals.t;  (** when it cost something *)
}

val without : said list -> Finding.t list
(** Findings of the same kind and about the same object have one cause. Of these, one remains: about the
    region that explains half of what the whole program lost, if there is one, or else about the whole
    program. Findings about no object are about places in the program: of these, up to three regions remain in
    place of the whole. *)
