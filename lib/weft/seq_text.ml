open Bigarray

type memory = String of string | Mapped of (char, int8_unsigned_elt, c_layout) Array1.t
type t = { memory : memory; length : int; block : int }

let block = 4096
let of_string s = { memory = String s; length = String.length s; block }

(* The bytes are read when the sequence is used, as those of a string that may change. *)
let of_bytes b = of_string (Bytes.unsafe_to_string b)
let of_bigarray a = { memory = Mapped a; length = Array1.dim a; block }
let with_blocks block t = { t with block }

(* Others could only be mapped as empty texts: pipes, devices, and files of /proc, whose size the system does
   not tell. *)
let can_be_mapped file =
  let stats = Unix.LargeFile.fstat file in
  stats.st_kind = S_REG && (stats.st_size > 0L || Unix.read file (Bytes.create 1) 0 1 = 0)

let of_file path =
  let map path =
    (* So that to open a named pipe does not wait. *)
    let file = Unix.openfile path [ O_RDONLY; O_CLOEXEC; O_NONBLOCK ] 0 in
    Fun.protect
      ~finally:(fun () -> Unix.close file)
      (fun () ->
        if not (can_be_mapped file) then raise (Sys_error "no regular file, or of unknown size");
        array1_of_genarray (Unix.map_file file char c_layout false [| -1 |]))
  in
  of_bigarray (Weft_platform.File_errors.naming path map path)

let length t = t.length

let chars t =
  match t.memory with String s -> Seq_sources.of_string s | Mapped a -> Seq_sources.of_bigarray a

(* --- parts --- *)

let rec end_in_string s is_separator i stop =
  if i >= stop || is_separator (String.unsafe_get s i) then i else end_in_string s is_separator (i + 1) stop

let rec end_in_bigarray (a : (char, int8_unsigned_elt, c_layout) Array1.t) is_separator i stop =
  if i >= stop || is_separator (Array1.unsafe_get a i) then i else end_in_bigarray a is_separator (i + 1) stop

(* The first index from [i] on of a separator, or [stop]. *)
let end_of_part t is_separator i stop =
  match t.memory with
  | String s -> end_in_string s is_separator i stop
  | Mapped a -> end_in_bigarray a is_separator i stop

let part t first stop =
  match t.memory with
  | String s -> String.sub s first (stop - first)
  | Mapped a -> String.init (stop - first) (fun i -> Array1.unsafe_get a (first + i))

(* Pushes the parts that begin from [first] on and before [stop]; the last one may end behind it. Empty parts
   count only if [empty]. *)
let rec push_parts t is_separator ~empty first stop push =
  if first < stop then begin
    let after = end_of_part t is_separator first t.length in
    if empty || after > first then push (part t first after);
    push_parts t is_separator ~empty (after + 1) stop push
  end

(* A part belongs to the block in which it begins, after a separator or at the start of the text. [starts]:
   how many indices there are at which one may begin. *)
let parts t ~starts ~empty is_separator =
  let positions = (starts / t.block) + Bool.to_int (starts mod t.block > 0) in
  let iterate first last push =
    let first = first * t.block and stop = Int.min starts ((last + 1) * t.block) in
    let first = if first = 0 then 0 else end_of_part t is_separator (first - 1) (stop - 1) + 1 in
    push_parts t is_separator ~empty first stop push
  in
  let p = { Source.positions; offset = None; get = None; iterate } in
  { Source.known = None; each = Source.iterate_all p; pass = (fun k -> k p); halves = None }

let is_newline c = c = '\n'
let lines t = parts t ~starts:t.length ~empty:true is_newline
let is_white = function ' ' | '\t' | '\n' | '\r' | '\011' | '\012' -> true | _ -> false
let tokens ?(is_space = is_white) t = parts t ~starts:t.length ~empty:false is_space
let split_on_char c t = parts t ~starts:(t.length + 1) ~empty:true (fun d -> d = c)
