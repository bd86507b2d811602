open Syntax

type answers = { variables : string array; count : int; values : value array }

let rows { variables; count; values } =
  let width = Array.length variables in
  Array.init count (fun i -> Array.sub values (i * width) width)

exception No_index

type source = {
  constants : Constants.t;
  relation : string -> Relation.t option;
  index : Relation.t -> int array -> Index.t;
}

(* A predicate that nobody has used yet has no tuples. *)
let relation source place { predicate; terms } =
  let n = List.length terms in
  match source.relation predicate with
  | None -> Relation.create predicate n
  | Some r when Rows.width r.rows = n -> r
  | Some r -> fail place "%s has %s here, but %d in the database" predicate (arguments n) (Rows.width r.rows)

let plan source (q : query) variables =
  Analysis.query q;
  let context =
    {
      Plan.relation = relation source q.place;
      code = Constants.find source.constants;
      index = source.index;
      in_stratum = (fun _ -> false);
    }
  in
  Plan.make context ~head:(None, List.map (fun x -> Variable x) variables) q.body Nothing

let join source plan = Join.create plan source.constants ~rank:Relation.all ~own_rank:Relation.all

(* Answer [i] is in [data] from [first + (i * stride)] on. *)
type found = { data : int array; first : int; stride : int; number : int }

let find source q variables =
  let plan = plan source q variables in
  let width = List.length variables in
  if plan.repeats then begin
    let rows = Rows.create width in
    Join.run (join source plan) (fun result -> ignore (Rows.add rows result 0 ~status:0 : bool));
    let stride = Rows.stride rows in
    { data = Rows.data rows; first = Rows.first; stride; number = (Rows.limit rows - Rows.first) / stride }
  end
  else begin
    let rows = Vector.create () and count = ref 0 in
    Join.run (join source plan) (fun result ->
        incr count;
        for i = 0 to width - 1 do
          Vector.push rows result.(i)
        done);
    { data = Vector.elements rows; first = 0; stride = width; number = !count }
  end

let query source (q : query) =
  let variables = variables_of_literals q.body in
  let { data; first; stride; number = count } = find source q variables in
  let width = List.length variables in
  (* One flat array costs a third of what an array of arrays does. *)
  let values = Array.make (count * width) (Int 0) in
  for i = 0 to count - 1 do
    for j = 0 to width - 1 do
      values.((i * width) + j) <- Constants.value source.constants data.(first + (i * stride) + j)
    done
  done;
  { variables = Array.of_list variables; count; values }

let count source (q : query) = (find source q (variables_of_literals q.body)).number

(* Whether all terms are values; puts their codes into [key]. An atom without variables, the most frequent
   query, needs no plan. *)
let rec codes constants key i = function
  | [] -> true
  | Value v :: terms ->
      key.(i) <- Constants.find constants v;
      codes constants key (i + 1) terms
  | (Variable _ | Wildcard) :: _ -> false

let holds source (q : query) =
  let by_plan () = Join.succeeds (join source (plan source q [])) in
  match q.body with
  | [ Holds atom ] ->
      let relation = relation source q.place atom in
      let key = Array.make (Rows.width relation.rows) 0 in
      if codes source.constants key 0 atom.terms then Rows.find relation.rows key 0 <> Rows.none
      else by_plan ()
  | _ -> by_plan ()
