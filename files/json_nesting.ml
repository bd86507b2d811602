type place = Outside | Inside | After_backslash
type t = { mutable place : place; mutable depth : int }

let create () = { place = Outside; depth = 0 }
let greatest = 100

let follow t text at n =
  let stop = at + n in
  let leave place depth =
    t.place <- place;
    t.depth <- depth;
    Ok ()
  in
  let rec outside i depth =
    if i = stop then leave Outside depth
    else
      match Bytes.get text i with
      | ('[' | '{') when depth = greatest -> Error (Printf.sprintf "it is nested more than %d deep" greatest)
      | '[' | '{' -> outside (i + 1) (depth + 1)
      | ']' | '}' -> outside (i + 1) (max 0 (depth - 1))
      | '"' -> inside (i + 1) depth
      | ('/' | '(' | '<') as c -> Error (Printf.sprintf "not JSON: '%c' outside of a text" c)
      | _ -> outside (i + 1) depth
  and inside i depth =
    if i = stop then leave Inside depth
    else
      match Bytes.get text i with
      | '"' -> outside (i + 1) depth
      | '\\' -> after_backslash (i + 1) depth
      | _ -> inside (i + 1) depth
  and after_backslash i depth = if i = stop then leave After_backslash depth else inside (i + 1) depth in
  match t.place with
  | Outside -> outside at t.depth
  | Inside -> inside at t.depth
  | After_backslash -> after_backslash at t.depth
