(* The ways out. Eight tasks on two domains use each module, and wait in between: every run prints the same. *)

let numbers = List.init 8 Fun.id
let pool = Weft.Pool.create ~domains:2 ()
let each task = Weft.Pool.run pool (fun () -> Weft.List.map task numbers)
let say module_ right = Printf.printf "%-8s %b\n" module_ right

(* What a task says waits for something; what it prints is one string. *)
let found i =
  Weft.yield ();
  String.make i 'x'

(* --- Format and Printf: make the string, then write it by one call --- *)

let box out i = output_string out (Format.asprintf "@[<h>task %d:@ %s@]@\n" i (found i))
let line out i = output_string out (Printf.sprintf "task %d: %s\n" i (found i))

let lines write =
  let name, out = Filename.open_temp_file "ways" "out" in
  ignore (each (write out) : unit list);
  close_out out;
  let written = In_channel.with_open_bin name In_channel.input_lines in
  Sys.remove name;
  List.sort compare written = List.map (fun i -> Printf.sprintf "task %d: %s" i (String.make i 'x')) numbers

(* --- Scanf: one task reads, and sends to the others --- *)

let sum_of text =
  let input = Scanf.Scanning.from_string text and items = Weft.Chan.bounded 4 in
  Weft.Pool.run pool @@ fun () ->
  Weft.Scope.run @@ fun scope ->
  let add () = Seq.fold_left ( + ) 0 (Weft.Chan.to_seq items) in
  let sums = List.init 3 (fun _ -> Weft.Scope.async scope add) in
  (try
     while true do
       Scanf.bscanf input " %d" (Weft.Chan.send items)
     done
   with End_of_file -> Weft.Chan.close items);
  List.fold_left (fun sum task -> sum + Weft.await task) 0 sums

(* --- Str: take all groups before the task waits --- *)

let pair = Str.regexp "\\([a-z]+\\) \\([a-z]+\\)"

let swap text =
  if Str.string_match pair text 0 then begin
    let first = Str.matched_group 1 text and second = Str.matched_group 2 text in
    Weft.yield ();
    second ^ " " ^ first
  end
  else text

(* --- Lazy: Weft.Once --- *)

let table =
  Weft.Once.make (fun () ->
      Weft.yield ();
      Array.init 8 (fun i -> i * i))

(* --- Random: a generator for each task, or the number of an index --- *)

let seed = Weft.Random.make 42

let draw i =
  let mine = Weft.Random.at seed i in
  let first = Weft.Random.int mine 1000 in
  Weft.yield ();
  (first, Weft.Random.int mine 1000)

(* --- Hashtbl: a lock around the calls that belong together --- *)

let counts = Hashtbl.create 16
let lock = Weft.Mutex.create ()

let count i =
  Weft.Mutex.protect lock @@ fun () ->
  let so_far = Option.value (Hashtbl.find_opt counts (i mod 2)) ~default:0 in
  Weft.yield ();
  Hashtbl.replace counts (i mod 2) (so_far + 1)

(* --- Buffer: one for each task, joined in order --- *)

let text i =
  let mine = Buffer.create 80 in
  Buffer.add_string mine "<";
  Buffer.add_string mine (found i);
  Buffer.add_string mine ">";
  Buffer.contents mine

(* --- Logs: Logs_threaded, and what a message needs is there before it is logged --- *)

let logged () =
  let written = Buffer.create 80 in
  let out = Format.formatter_of_buffer written in
  Logs.set_reporter (Logs.format_reporter ~pp_header:(fun _ _ -> ()) ~app:out ~dst:out ());
  Logs_threaded.enable ();
  let log i =
    let found = found i in
    Logs.app (fun m -> m "task %d: %s" i found)
  in
  ignore (each log : unit list);
  List.length (String.split_on_char '\n' (String.trim (Buffer.contents written)))

(* --- fork, and libraries that call it: start a program --- *)

let run program =
  let id = Unix.create_process program [| program |] Unix.stdin Unix.stdout Unix.stderr in
  Weft.blocking (fun () -> snd (Unix.waitpid [] id)) = WEXITED 0

let () =
  say "Format" (lines box);
  say "Printf" (lines line);
  say "Scanf" (sum_of "1 2 3 4 5 6 7 8" = 36);
  say "Str" (List.for_all (( = ) "world hello") (each (fun _ -> swap "hello world")));
  say "Lazy" (each (fun i -> (Weft.Once.get table).(i)) = List.map (fun i -> i * i) numbers);
  say "Random" (each draw = each draw);
  ignore (each count : unit list);
  say "Hashtbl" (Hashtbl.find counts 0 = 4 && Hashtbl.find counts 1 = 4);
  say "Buffer"
    (String.concat "" (each text)
    = String.concat "" (List.map (fun i -> "<" ^ String.make i 'x' ^ ">") numbers));
  say "Logs" (logged () = 8);
  say "fork" (List.for_all Fun.id (each (fun _ -> run "true")))
