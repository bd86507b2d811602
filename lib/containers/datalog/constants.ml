open Syntax

module Table = Hashtbl.Make (struct
  type t = value

  let equal a b =
    match (a, b) with
    | Int a, Int b -> Int.equal a b
    | Symbol a, Symbol b | String a, String b -> String.equal a b
    | (Int _ | Symbol _ | String _), _ -> false

  let hash = function Int n -> Hashtbl.hash n | Symbol s -> Hashtbl.hash s | String s -> Hashtbl.hash s + 1
end)

(* The value with the code [2 * i + 1] is [values.(i)]. *)
type t = { table : int Table.t; mutable values : value array; mutable count : int }

let create () = { table = Table.create 64; values = Array.make 64 (Int 0); count = 0 }
let unknown = -1
let is_small n = (n lsl 1) asr 1 = n

let add t v =
  if t.count = Array.length t.values then begin
    let larger = Array.make (2 * t.count) (Int 0) in
    Array.blit t.values 0 larger 0 t.count;
    t.values <- larger
  end;
  let code = (2 * t.count) + 1 in
  t.values.(t.count) <- v;
  t.count <- t.count + 1;
  Table.add t.table v code;
  code

let find t v =
  match v with
  | Int n when is_small n -> n lsl 1
  | _ -> ( match Table.find t.table v with code -> code | exception Not_found -> unknown)

let code t v =
  let code = find t v in
  if code = unknown then add t v else code

let value t code = if code land 1 = 0 then Int (code asr 1) else t.values.(code asr 1)
let are_integers a b = a lor b land 1 = 0
