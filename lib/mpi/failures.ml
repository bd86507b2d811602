exception Elsewhere of { rank : int; text : string; backtrace : string }

let () =
  Printexc.register_printer (function
    | Elsewhere { rank; text; backtrace } ->
        Some
          (Printf.sprintf "rank %d raised: %s%s" rank text (if backtrace = "" then "" else "\n" ^ backtrace))
    | _ -> None)

type own = { order : int; exn : exn; trace : Printexc.raw_backtrace }
type report = { at : int; text : string; backtrace : string }
type t = { rank : int; report : report; mine : own option }

let caught ~at exn = { order = at; exn; trace = Printexc.get_raw_backtrace () }
let order own = own.order

let report own =
  {
    at = own.order;
    text = Printexc.to_string own.exn;
    backtrace = Printexc.raw_backtrace_to_string own.trace;
  }

let at f = f.report.at

let first ~rank own reports =
  let earlier best (from, report) =
    match (best, report) with
    | Some best, Some report when at best <= report.at -> Some best
    | best, None -> best
    | _, Some report -> Some { rank = from; report; mine = (if from = rank then own else None) }
  in
  Array.fold_left earlier None (Array.mapi (fun from report -> (from, report)) reports)

let reraise f =
  match f.mine with
  | Some own -> Printexc.raise_with_backtrace own.exn own.trace
  | None -> raise (Elsewhere { rank = f.rank; text = f.report.text; backtrace = f.report.backtrace })
