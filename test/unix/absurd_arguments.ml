open Testing_public.Absurd

let some = Bytes.create 4

external descriptor : int -> Unix.file_descr = "%identity"

(* One that is never open: a number that was closed may be another file's. *)
let closed = descriptor (-1)

(* Cut to 32 bits, the last ones are -1, 1 and [min_int]. *)
let invalid_pid = [ 0; -1; min_int; max_int; (1 lsl 32) - 1; (1 lsl 32) + 1; 1 lsl 31 ]

let ranges name f =
  List.map
    (fun (pos, len) -> refused name (fun () -> f some pos len))
    [ (-1, 2); (0, -1); (0, 5); (3, 2); (max_int, 1); (1, max_int) ]

let rows () =
  Helpers.with_pair @@ fun a _ ->
  let rows =
    ranges "read" (Weft_unix.read a)
    @ ranges "single_write" (Weft_unix.single_write a)
    @ ranges "write" (Weft_unix.write a)
    @ List.map (fun pid -> refused "waitpid" (fun () -> Weft_unix.waitpid pid)) invalid_pid
    @ List.map (fun pid -> refused "stop" (fun () -> Weft_unix.stop pid)) invalid_pid
    @ [
        refused "run" (fun () -> Weft_unix.run []);
        refused "run" (fun () -> Weft_unix.run ~timeout:Float.nan [ "true" ]);
        refused "run" (fun () -> Weft_unix.run ~grace:Float.nan [ "true" ]);
        refused "stop" (fun () -> Weft_unix.stop ~grace:Float.nan 1_000_000);
        refused "wait_readable" (fun () -> Weft_unix.wait_readable ~timeout:Float.nan a);
        refused "wait_writable" (fun () -> Weft_unix.wait_writable ~timeout:Float.nan a);
        refused "read" (fun () -> Weft_unix.read ~timeout:Float.nan a some 0 1);
        refused "read_all" (fun () -> Weft_unix.read_all ~timeout:Float.nan a);
        refused "single_write" (fun () -> Weft_unix.single_write ~timeout:Float.nan a some 0 1);
        refused "write" (fun () -> Weft_unix.write ~timeout:Float.nan a some 0 1);
        refused "write_string" (fun () -> Weft_unix.write_string ~timeout:Float.nan a "x");
        refused "accept" (fun () -> Weft_unix.accept ~timeout:Float.nan a);
        refused "connect" (fun () -> Weft_unix.connect ~timeout:Float.nan a (ADDR_UNIX "/"));
        fails "socket"
          (function Unix.Unix_error _ -> true | _ -> false)
          (fun () -> Weft_unix.socket PF_INET SOCK_STREAM (-1));
        fails "close"
          (function Unix.Unix_error (EBADF, _, _) -> true | _ -> false)
          (fun () -> Weft_unix.close closed);
      ]
  in
  check (under "Weft_unix" rows);
  check_complete (Testing_public.Public_functions.of_library "Weft_unix") (under "Weft_unix" rows) []

let cases = ("absurd arguments", [ Helpers.case "each function" rows ])
