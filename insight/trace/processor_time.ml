type sum = { cpu : int; waiting : int }
type told = { sum : sum; processors : int option }

type t = {
  root : string;
  pid : int;
  folder : string;
  threads : (string, sum) Hashtbl.t;
  mutable processors : int option;
}

let create ?(root = "/") ~pid () =
  {
    root;
    pid;
    folder = Filename.concat root (Printf.sprintf "proc/%d/task" pid);
    threads = Hashtbl.create 16;
    processors = None;
  }

(* The file has two times in ns, and how often the thread was scheduled. *)
let of_thread text =
  match List.map int_of_string_opt (String.split_on_char ' ' (String.trim text)) with
  | Some cpu :: Some waiting :: _ when cpu >= 0 && waiting >= 0 -> Some { cpu; waiting }
  | _ -> None

let read_thread t tid =
  let path = Filename.concat (Filename.concat t.folder tid) "schedstat" in
  match Option.bind (In_channel.with_open_bin path In_channel.input_line) of_thread with
  | Some sum -> Hashtbl.replace t.threads tid sum
  | None | (exception Sys_error _) -> ()

let read t =
  let is_there =
    match Sys.readdir t.folder with
    | tids ->
        Array.iter (read_thread t) tids;
        true
    | exception Sys_error _ -> false
  in
  if Hashtbl.length t.threads = 0 || not is_there then None
  else
    let add _ one all = { cpu = all.cpu + one.cpu; waiting = all.waiting + one.waiting } in
    let sum = Hashtbl.fold add t.threads { cpu = 0; waiting = 0 } in
    let now = Weft_platform.Machine.processors_allowed ~root:t.root ~pid:t.pid () in
    if Option.is_some now then t.processors <- now;
    Some { sum; processors = t.processors }
