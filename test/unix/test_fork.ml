(* A fork of a program whose fibers wait: both processes go on with their own. Only a program that has
   started no domain may fork. *)
module Watchdog = Testing.Watchdog
module Poller = Weft_platform.Poller

let byte fd =
  let b = Bytes.create 1 in
  match Weft_unix.read fd b 0 1 with 0 -> '-' | _ -> Bytes.get b 0

(* Both wait for the same byte, which nobody reads. *)
let forked () =
  Weft.run ~domains:1 @@ fun () ->
  let input, output = Weft_unix.pipe () in
  let task = Weft.async (fun () -> Weft_unix.wait_readable input) in
  while Poller.waits () = 0 do
    Weft.yield ()
  done;
  match Unix.fork () with
  | 0 ->
      Weft_unix.write_string output "x";
      Weft.await task;
      Unix._exit 0
  | pid ->
      if Weft_unix.waitpid pid <> WEXITED 0 then failwith "the child has failed";
      Weft.await task;
      Weft_unix.close input;
      Weft_unix.close output

(* More waits than the system lets one thread poll: they go on, if slowly. *)
let too_many () =
  Weft.run ~domains:1 @@ fun () ->
  let n = 300 in
  let input, output = Weft_unix.pipe () in
  let tasks = List.init n (fun _ -> Weft.async (fun () -> byte input)) in
  while Poller.waits () < n / 2 do
    Weft.yield ()
  done;
  Weft_unix.write_string output (String.make n 'x');
  List.iter (fun task -> if Weft.await task <> 'x' then failwith "a byte was lost") tasks;
  Weft_unix.close input;
  Weft_unix.close output

let () =
  match Sys.argv with
  | [| _; "too many" |] -> Watchdog.guard "too many waits" too_many
  | _ ->
      Watchdog.guard "fork" forked;
      let r =
        Testing.Child.run "sh"
          [ "-c"; Printf.sprintf "ulimit -n 128; exec '%s' 'too many'" Sys.executable_name ]
      in
      if r.code <> 0 then failwith (r.out ^ r.err)
