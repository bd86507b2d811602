open Parsetree

let of_expression e =
  match e.pexp_desc with Pexp_letmodule (name, m, body) -> Some (name.txt, m, body) | _ -> None
