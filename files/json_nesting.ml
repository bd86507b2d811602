type place = Outside | Inside | After_backslash
type t = { mutable place : place; mutable depth : int }

let create () = { place = Outside; depth = 0 }
let greatest = 100

let follow t text at n =
  let rec from i =
    if i = at + n then Ok ()
    else
      match (t.place, Bytes.get text i) with
      | Outside, ('[' | '{') when t.depth = greatest ->
          Error (Printf.sprintf "it is nested more than %d deep" greatest)
      | Outside, (('/' | '(' | '<') as c) -> Error (Printf.sprintf "not JSON: '%c' outside of a text" c)
      | place, c ->
          (match (place, c) with
          | Outside, ('[' | '{') -> t.depth <- t.depth + 1
          | Outside, (']' | '}') -> t.depth <- max 0 (t.depth - 1)
          | Outside, '"' -> t.place <- Inside
          | Inside, '"' -> t.place <- Outside
          | Inside, '\\' -> t.place <- After_backslash
          | After_backslash, _ -> t.place <- Inside
          | (Outside | Inside), _ -> ());
          from (i + 1)
  in
  from at
