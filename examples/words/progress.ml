type t = out_channel option

let none = None
let on channel = Some channel
let on_terminal channel = if Unix.isatty (Unix.descr_of_out_channel channel) then on channel else none
let cells = 30

let draw channel ~label percent =
  let full = percent * cells / 100 in
  Printf.fprintf channel "\r%s [%s%s] %3d %%%!" label (String.make full '#')
    (String.make (cells - full) '.')
    percent

let erase channel ~label =
  let width = String.length label + cells + String.length " [] 100 %" in
  Printf.fprintf channel "\r%s\r%!" (String.make width ' ')

let during t ~label ~total f =
  match t with
  | None -> f ignore
  | Some channel ->
      let finished = Atomic.make 0 and drawing = Mutex.create () in
      let percent steps = min 100 (100 * steps / max 1 total) in
      let advance n =
        let before = Atomic.fetch_and_add finished n in
        (* Only the step that reaches a new percent draws; if another task is drawing, the next such step
           will do. *)
        if percent (before + n) > percent before && Mutex.try_lock drawing then begin
          draw channel ~label (percent (Atomic.get finished));
          Mutex.unlock drawing
        end
      in
      draw channel ~label 0;
      Fun.protect ~finally:(fun () -> erase channel ~label) (fun () -> f advance)
