(* [opened] is filled by whoever takes the count to zero. *)
type t = { count : int Atomic.t; opened : unit Write_once.t }

let create n =
  if n < 0 then invalid_arg (Printf.sprintf "Weft.Latch.create: negative count %d" n);
  { count = Atomic.make n; opened = Write_once.create () }

let count l = Atomic.get l.count

(* What is left; negative, and nothing has changed, if [by] is too much. *)
let rec take l by =
  let count = Atomic.get l.count in
  let left = count - by in
  if left < 0 || Atomic.compare_and_set l.count count left then left else take l by

let count_down ?(by = 1) l =
  if by < 0 then invalid_arg (Printf.sprintf "Weft.Latch.count_down: by a negative number, %d" by);
  (* Once the count is zero, those who wait must be woken: [put] asks for the room of a call again, deeper. *)
  Stack_room.(ensure (call + step));
  let left = take l by in
  if left = 0 then ignore (Write_once.put l.opened () : bool);
  if left < 0 then
    invalid_arg (Printf.sprintf "Weft.Latch.count_down: by %d, but only %d are left" by (left + by))

let wait ?timeout l =
  let what = "Weft.Latch.wait" in
  if count l > 0 then Write_once.wait ?timeout ~what l.opened else Poll.checkpoint_within ~what timeout

module Private = struct
  let opened l = l.opened
end
