open Weft_datalog
include Syntax

type runner = Runner.t = { width : unit -> int; each : int -> (int -> unit) -> unit }

(* --- the language --- *)

let parse = Parser.program
let parse_query = Parser.query
let rule head body : rule = { head; body; place = None }
let atom predicate terms = { predicate; terms }
let fact predicate values = { predicate; terms = List.map (fun v -> Value v) values }
let ask body : query = { body; place = None }

(* --- databases --- *)

type t = Database.t

let create ?(runner = Runner.sequential) program = Database.create runner (Analysis.program program)
let of_string ?runner text = create ?runner (parse text)

type change = Database.change = Assert of atom | Retract of atom

let change = Database.change

let one t c =
  match Database.change t [| c |] with
  | [| Ok made |] -> made
  | [| Error e |] -> raise (Error e)
  | _ -> assert false

let assert_fact t a = one t (Assert a)
let retract t a = one t (Retract a)

(* --- queries --- *)

type answers = Reading.answers = { variables : string array; count : int; values : value array }

let rows = Reading.rows

let read t read_from q =
  Database.refresh t;
  read_from (Database.source t ~making_indexes:true) q

let query t q = read t Reading.query q
let count t q = read t Reading.count q
let holds t q = read t Reading.holds q

let length t predicate =
  Database.refresh t;
  Option.fold (Database.relation t predicate) ~none:0 ~some:Relation.length

let check = Database.check

let try_read t read_from q =
  if Database.is_stale t then None
  else
    match read_from (Database.source t ~making_indexes:false) q with
    | answer -> Some answer
    | exception Reading.No_index -> None

module Reading = struct
  let query t q = try_read t Reading.query q
  let count t q = try_read t Reading.count q
  let holds t q = try_read t Reading.holds q
end
