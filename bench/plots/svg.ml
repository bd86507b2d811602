let starts_at text i part =
  i + String.length part <= String.length text && String.equal (String.sub text i (String.length part)) part

let index_of text part =
  let rec from i =
    if i >= String.length text then None else if starts_at text i part then Some i else from (i + 1)
  in
  from 0

(* {1 Colours} *)

let triple { Palette.light; _ } = Scanf.sscanf light "#%2x%2x%2x" (fun r g b -> (r, g, b))
let variables = List.map (fun colour -> (triple colour, "var(" ^ colour.Palette.variable ^ ")")) Palette.all

(* gnuplot writes the same colour with and without blanks. *)
let variable_of written =
  Option.bind
    (Scanf.sscanf_opt written "rgb( %d , %d , %d )" (fun r g b -> (r, g, b)))
    (fun rgb -> List.assoc_opt rgb variables)

let with_variables text =
  let buffer = Buffer.create (String.length text) in
  let rec from i =
    if i < String.length text then
      let colour =
        if starts_at text i "rgb(" then
          Option.bind (String.index_from_opt text i ')') (fun closing ->
              let written = String.sub text i (closing + 1 - i) in
              Option.map (fun variable -> (variable, String.length written)) (variable_of written))
        else None
      in
      match colour with
      | Some (variable, length) ->
          Buffer.add_string buffer variable;
          from (i + length)
      | None ->
          Buffer.add_char buffer text.[i];
          from (i + 1)
  in
  from 0;
  Buffer.contents buffer

(* {1 Names and leftovers} *)

let replace_all replacements text =
  let buffer = Buffer.create (String.length text) in
  let rec from i =
    if i < String.length text then
      match List.find_opt (fun (part, _) -> starts_at text i part) replacements with
      | Some (part, by) ->
          Buffer.add_string buffer by;
          from (i + String.length part)
      | None ->
          Buffer.add_char buffer text.[i];
          from (i + 1)
  in
  from 0;
  Buffer.contents buffer

let is_background line =
  String.starts_with ~prefix:"<rect x=\"0\" y=\"0\"" line
  && String.ends_with ~suffix:"fill=\"#ffffff\"/>" line

let opens_group line = String.starts_with ~prefix:"<g " line && String.ends_with ~suffix:">" line

(* Removes empty groups, which are half of what gnuplot writes, and the background. *)
let rec tidy = function
  | opening :: "</g>" :: rest when opens_group opening -> tidy rest
  | "" :: rest -> tidy rest
  | line :: rest when is_background line -> tidy rest
  | line :: rest -> line :: tidy rest
  | [] -> []

let inline ~prefix ~label text =
  let ( let* ) = Option.bind in
  let parts =
    let* opening = index_of text "<svg" in
    let rest = String.sub text opening (String.length text - opening) in
    let* view = index_of rest "viewBox=\"" in
    let* width, height =
      Scanf.sscanf_opt
        (String.sub rest view (min 60 (String.length rest - view)))
        "viewBox=\"0 0 %d %d\""
        (fun w h -> (w, h))
    in
    let* body = index_of rest "<g id=" in
    Some (width, height, String.sub rest body (String.length rest - body))
  in
  match parts with
  | None -> Error "gnuplot has drawn no picture that can be put into a page"
  | Some (width, height, body) ->
      let body = String.concat "\n" (tidy (List.map String.trim (String.split_on_char '\n' body))) in
      let body =
        replace_all
          [
            ("id='", "id='" ^ prefix);
            ("id=\"", "id=\"" ^ prefix);
            ("href='#", "href='#" ^ prefix);
            ("url(#", "url(#" ^ prefix);
            ("color=\"black\"", "color=\"var(" ^ Palette.ink.variable ^ ")\"");
            ("stroke=\"black\"", "stroke=\"var(" ^ Palette.ink.variable ^ ")\"");
          ]
          body
      in
      Ok
        (Printf.sprintf
           "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" xmlns=\"http://www.w3.org/2000/svg\" \
            xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n\
            %s"
           width height (Text.html label) (with_variables body))
