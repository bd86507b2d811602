type t =
  | Nothing
  | Files
  | Folders
  | Program
  | Processes
  | Words of string list
  | Listed of { command : string list; names : names }

and names = Runnable | Methods | Workloads

let of_value ~command ({ name; _ } : Help_page.value) =
  match (command, name) with
  | _, "FMT" -> Words [ "auto"; "pager"; "groff"; "plain" ]
  | _, ("FILE" | "RESULTS" | "A" | "B") -> Files
  | _, "DIR" -> Folders
  | _, "PID" -> Processes
  | "bench" :: _, ("BENCH" | "CASE" | "PROGRAM") -> Listed { command; names = Runnable }
  | "bench" :: _, "METHOD" -> Listed { command; names = Methods }
  | "bench" :: _, "WORKLOAD" -> Listed { command; names = Workloads }
  | "bench" :: _, "WHAT" -> Words [ "domains"; "cutoff"; "size" ]
  | [ "scale" ], "NAMES" -> Listed { command = [ "bench" ]; names = Runnable }
  | _, "PROGRAM" -> Program
  | [ "plot" ], "FORMAT" -> Words [ "svg"; "png"; "pdf" ]
  | _, "FORMAT" -> Words [ "json"; "fuchsia" ]
  | _ -> Nothing

let all_names = [ Runnable; Methods; Workloads ]
let to_string = function Runnable -> "runnable" | Methods -> "methods" | Workloads -> "workloads"

(* Headings begin with a capital letter, names end at a colon, and indented lines belong to the name
   above. *)
let awk names =
  let body =
    match names with
    | Runnable -> {|/^[a-z0-9_-]+:/ && (s == "" || s ~ /^Groups/) { sub(/:.*/, ""); print }|}
    | Methods -> {|/^[a-z0-9_-]+:/ && s == "Methods" { sub(/:.*/, ""); print }|}
    | Workloads ->
        {|sub(/^  workloads: /, "") { n = split($0, w, /, /); for (i = 1; i <= n; i++) if (!seen[w[i]]++) print w[i] }|}
  in
  "/^[A-Z]/ { s = $0; next } " ^ body
