type point = {
  fiber : string;
  number : int;
  takes : string;
  what : string;
  site : string;
  options : string list;
}

type t = { decisions : int; misfits : int; cut : bool; ended : string; points : point list }

let number text = match int_of_string_opt text with Some n when n >= 0 -> n | _ -> raise Exit
let is_option s = Schedule_file.is_name s || s = Schedule_file.time

let point line =
  match String.split_on_char '\t' line with
  | fiber :: n :: takes :: what :: site :: options
    when List.for_all is_option ((if takes = "-" then fiber else takes) :: options)
         && Schedule_file.is_name fiber ->
      { fiber; number = number n; takes; what; site; options }
  | _ -> raise Exit

let parse text =
  match String.split_on_char '\n' text with
  | "weft-exploration 1" :: choices :: misfits :: cut :: ended :: lines -> (
      try
        Scanf.sscanf
          (String.concat " " [ choices; misfits; cut; ended ])
          "choices %d misfits %d cut %B ended %s%!"
          (fun decisions misfits cut ended ->
            let points = List.filter_map (fun l -> if l = "" then None else Some (point l)) lines in
            Some { decisions; misfits; cut; ended; points })
      with Exit | Scanf.Scan_failure _ | Failure _ | End_of_file -> None)
  | _ -> None

(* Explored stops far below that. *)
let most = 64 * 1024 * 1024

let read file =
  let contents input =
    if In_channel.length input <= Int64.of_int most then In_channel.input_all input else ""
  in
  match In_channel.with_open_bin file contents with text -> parse text | exception Sys_error _ -> None

let is_choice p = match p.options with first :: _ :: _ -> p.takes <> first | _ -> false
let choice p : Schedule_file.choice = { fiber = p.fiber; point = p.number; takes = p.takes }
let schedule t = List.map choice (List.filter is_choice t.points)

(* Each choice that could have been made after the last one that was, with those before it. *)
let extended t =
  let made = schedule t in
  let rec after_last points = function
    | [] -> points
    | p :: rest -> after_last (if is_choice p then rest else points) rest
  in
  let others p =
    match p.options with
    | first :: others when p.takes = first ->
        List.map (fun takes -> made @ [ choice { p with takes } ]) others
    | _ -> []
  in
  List.concat_map others (after_last t.points t.points)

let pairs t =
  let event p = p.what ^ "\t" ^ p.site in
  let rec from = function
    | a :: (b :: _ as rest) -> if a.fiber = b.fiber then from rest else (event a, event b) :: from rest
    | _ -> []
  in
  from t.points
