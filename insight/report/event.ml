type arguments = (string * Yojson.Safe.t) list

(* [Hashtbl.hash] of the list would look at its first ten names and values, which are often the same. *)
module Table = Hashtbl.Make (struct
  type t = arguments

  let equal a b = compare a b = 0

  let hash arguments =
    let add h (name, value) = (31 * ((31 * h) + Hashtbl.hash (name : string))) + Hashtbl.hash value in
    List.fold_left add 0 arguments land max_int
end)

type phase =
  | Begin
  | End
  | Complete of int
  | Instant
  | Async_begin
  | Async_end
  | Flow
  | Sample
  | Metadata
  | Ignored

type raw = {
  phase : phase;
  time : int;
  pid : string;
  tid : string;
  id : string;
  category : Category.t;
  name : string;
  arguments : arguments;
}

let int key arguments = match List.assoc_opt key arguments with Some (`Int n) -> Some n | _ -> None
let text key arguments = match List.assoc_opt key arguments with Some (`String s) -> Some s | _ -> None
let bool key arguments = match List.assoc_opt key arguments with Some (`Bool b) -> b | _ -> false

let number : Yojson.Safe.t -> float option = function
  | `Int n -> Some (float_of_int n)
  | `Float x -> Some x
  | `Intlit s -> float_of_string_opt s
  | _ -> None
