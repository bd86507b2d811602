type fiber = { name : string option; at : string option }
type t = (int, fiber) Hashtbl.t

let of_trace (trace : Trace.t) =
  let table = Hashtbl.create 64 in
  let note = function
    | `Assoc members -> (
        match Event.int "fiber" members with
        | Some n -> Hashtbl.replace table n { name = Event.text "name" members; at = Event.text "at" members }
        | None -> ())
    | _ -> ()
  in
  (match List.assoc_opt "fibers" trace.weft with Some (`List all) -> List.iter note all | _ -> ());
  table

let shown ~before ~name:quoted ~at:placed t n =
  let { name; at } = Option.value (Hashtbl.find_opt t n) ~default:{ name = None; at = None } in
  let part format text = match text with Some s -> format (Words.printable s) | None -> "" in
  Printf.sprintf "%s%d%s%s" before n (part quoted name) (part placed at)

let label = shown ~before:"fiber " ~name:(Printf.sprintf " `%s`") ~at:(Printf.sprintf " (`%s`)")
let short = shown ~before:"" ~name:(Printf.sprintf " %s") ~at:(Printf.sprintf " (%s)")

let labelled t arguments =
  let label (key, value) =
    match (key, value) with ("fiber" | "by"), `Int n -> (key, `String (short t n)) | pair -> pair
  in
  if List.exists (fun (key, _) -> key = "fiber" || key = "by") arguments then List.map label arguments
  else arguments
