(* Orders numbers numerically, and names after them. *)
let compare_one a b =
  match (int_of_string_opt a, int_of_string_opt b) with
  | Some n, Some n' -> Int.compare n n'
  | Some _, None -> -1
  | None, Some _ -> 1
  | None, None -> String.compare a b

let compare (pid, tid) (pid', tid') = match compare_one pid pid' with 0 -> compare_one tid tid' | c -> c

(* The default pool is the only one of most programs, so it needs no name. *)
let short label =
  let suffix = " of default" in
  if String.ends_with ~suffix label then String.sub label 0 (String.length label - String.length suffix)
  else label
