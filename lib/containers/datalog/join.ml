open Plan

type t = {
  plan : Plan.t;
  constants : Constants.t;
  environment : int array;
  key : int array;  (** the values to look up *)
  result : int array;
  rank : int;
  mutable own_rank : int;
}

let widest steps =
  let width = function Join a | Exists a | Absent a -> Array.length a.key | Test _ -> 0 in
  Array.fold_left (fun n s -> Int.max n (width s)) 0 steps

let create (plan : Plan.t) constants ~rank ~own_rank =
  {
    plan;
    constants;
    environment = Array.copy plan.environment;
    key = Array.make (widest plan.steps) 0;
    result = Array.make (Array.length plan.result) 0;
    rank;
    own_rank;
  }

(* --- one tuple --- *)

let rec agrees environment (links : links) data row i =
  i = Array.length links.columns
  || data.(row + links.columns.(i)) = environment.(links.places.(i))
     && agrees environment links data row (i + 1)

(* Binds the columns of a tuple, which are in [data] from [row] on, and returns whether the tuple matches. *)
let matches t (access : access) data row =
  let { columns; places } = access.bind in
  for i = 0 to Array.length columns - 1 do
    t.environment.(places.(i)) <- data.(row + columns.(i))
  done;
  agrees t.environment access.check data row 0

(* Whether the tuple counts at all. If nothing has fallen, [rank] is [Relation.all], and the status is not
   read. *)
let[@inline] counts (access : access) rank rows row =
  (rank = Relation.all || Relation.rank (Rows.status rows row) < rank)
  && not (access.only_old && row >= access.relation.old)

let load t (access : access) =
  for i = 0 to Array.length access.key - 1 do
    t.key.(i) <- t.environment.(access.key.(i))
  done

let rank_for t (access : access) = if access.same_stratum then t.own_rank else t.rank

let whole t (access : access) =
  load t access;
  let rows = access.relation.rows in
  let row = Rows.find rows t.key 0 in
  row <> Rows.none && counts access (rank_for t access) rows row

(* [counts] for a walk through all rows, which meets purged ones, too. *)
let stands_in_line (access : access) rank rows row =
  Relation.rank (Rows.status rows row) < rank && not (access.only_old && row >= access.relation.old)

let exists t (access : access) =
  let rows = access.relation.rows and rank = rank_for t access in
  match access.way with
  | Whole -> whole t access
  | By index ->
      load t access;
      let bucket = Index.find index t.key in
      let stride = Rows.stride rows in
      let rec look at =
        at < bucket.(0)
        && ((counts access rank rows bucket.(at) && matches t access bucket (at + 1)) || look (at + stride))
      in
      look Index.first
  | Every ->
      let rec look row =
        row < Rows.limit rows
        && ((stands_in_line access rank rows row && matches t access (Rows.data rows) row)
           || look (row + Rows.stride rows))
      in
      look Rows.first

(* --- all steps --- *)

let code t = function Place p -> t.environment.(p) | Constant { code; _ } -> code

let value t = function
  | Place p -> Constants.value t.constants t.environment.(p)
  | Constant { value; _ } -> value

let compares t c l r =
  let a = code t l and b = code t r in
  Syntax.compares c
    (if Constants.are_integers a b then Int.compare a b else Syntax.compare_values (value t l) (value t r))

let emit t found =
  let places = t.plan.result in
  for i = 0 to Array.length places - 1 do
    t.result.(i) <- t.environment.(places.(i))
  done;
  found t.result

let rec go t found i =
  if i = Array.length t.plan.steps then emit t found
  else
    match t.plan.steps.(i) with
    | Test (c, l, r) -> if compares t c l r then go t found (i + 1)
    | Exists access -> if exists t access then go t found (i + 1)
    | Absent access -> if not (exists t access) then go t found (i + 1)
    | Join access -> join t found i access

and join t found i (access : access) =
  let rows = access.relation.rows and rank = rank_for t access in
  match access.way with
  | Whole -> if whole t access then go t found (i + 1)
  | By index ->
      load t access;
      let bucket = Index.find index t.key and stride = Rows.stride rows and at = ref Index.first in
      let till = bucket.(0) in
      while !at < till do
        if counts access rank rows bucket.(!at) && matches t access bucket (!at + 1) then go t found (i + 1);
        at := !at + stride
      done
  | Every ->
      let data = Rows.data rows and row = ref Rows.first in
      while !row < Rows.limit rows do
        if stands_in_line access rank rows !row && matches t access data !row then go t found (i + 1);
        row := !row + Rows.stride rows
      done

let run t found = go t found 0

let run_from t row found =
  match t.plan.entry with
  | None -> invalid_arg "Weft_datalog.Join.run_from: the plan starts from nothing"
  | Some entry -> if matches t entry (Rows.data entry.relation.rows) row then go t found 0

exception Found

let stop _ = raise_notrace Found
let succeeds t = match run t stop with () -> false | exception Found -> true

let succeeds_from t row ~own_rank =
  t.own_rank <- own_rank;
  match run_from t row stop with () -> false | exception Found -> true
