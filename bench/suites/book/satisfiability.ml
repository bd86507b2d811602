(* $MDX part-begin=formulas *)
(* A clause is a list of literals: [v] for variable [v], [-v] for its negation. *)
type formula = int list list

let assign literal (clauses : formula) =
  clauses
  |> List.filter (fun clause -> not (List.memq literal clause))
  |> List.map (fun clause ->
         if List.memq (-literal) clause then List.filter (fun l -> l <> -literal) clause else clause)

(* Assigns the literals of clauses that have only one. *)
let rec propagate clauses model =
  if List.exists List.is_empty clauses then None
  else
    match List.find_opt (fun clause -> List.compare_length_with clause 1 = 0) clauses with
    | Some clause -> propagate (assign (List.hd clause) clauses) (List.hd clause :: model)
    | None -> Some (clauses, model)

(* A literal of a shortest clause. *)
let choose clauses =
  let shorter shortest clause = if List.compare_lengths clause shortest < 0 then clause else shortest in
  List.hd (List.fold_left shorter (List.hd clauses) clauses)
(* $MDX part-end *)

(* $MDX part-begin=book *)
let rec solve clauses model =
  match propagate clauses model with
  | None -> None
  | Some ([], model) -> Some model
  | Some (clauses, model) ->
      let literal = choose clauses in
      let with_literal l = solve (assign l clauses) (l :: model) in
      Weft.parallel_find_first ~start:0 ~finish:1
        ~body:(fun i -> with_literal (if i = 0 then literal else -literal))
        ()
(* $MDX part-end *)

(* {1 Sequential} *)

let rec sequential clauses model =
  match propagate clauses model with
  | None -> None
  | Some ([], model) -> Some model
  | Some (clauses, model) -> (
      let literal = choose clauses in
      let with_literal l = sequential (assign l clauses) (l :: model) in
      match with_literal literal with Some model -> Some model | None -> with_literal (-literal))

(* {1 By hand} *)

let rec by_hand depth clauses model =
  if depth = 0 then sequential clauses model
  else
    match propagate clauses model with
    | None -> None
    | Some ([], model) -> Some model
    | Some (clauses, model) ->
        let literal = choose clauses in
        let with_literal l = by_hand (depth - 1) (assign l clauses) (l :: model) in
        Weft.parallel_find_first ~chunk_size:1 ~start:0 ~finish:1
          ~body:(fun i -> with_literal (if i = 0 then literal else -literal))
          ()

(* Random clauses of three literals, so many that there is hardly ever a model. *)
let formula variables =
  let random = Weft.Random.make variables in
  let literal i =
    let v = 1 + Weft.Random.int_at random i variables in
    if Weft.Random.bool_at random (-i - 1) then v else -v
  in
  List.init (5 * variables) (fun c -> List.init 3 (fun k -> literal ((3 * c) + k)))

let benchmark =
  let from_nothing solve formula = solve formula [] in
  let digest = function None -> 0 | Some model -> List.fold_left Same_result.add 1 model in
  Textbook.benchmark ~name:"satisfiability" ~doc:"a model for a random formula, or that there is none"
    ~size_doc:"the number of variables; five clauses for each" ~sizes:(0, 10_000)
    ~sweep_sizes:[ 60; 80; 100; 120 ] ~size:120 ~quick:80 ~input:formula ~digest
    {
      best_sequential = from_nothing sequential;
      sequential = from_nothing sequential;
      book = from_nothing solve;
      by_hand = from_nothing (by_hand 8);
    }
