(** Tests of [weft doctor]: the advice and the text on made-up facts, and the program itself, whose path is
    the first argument. *)
