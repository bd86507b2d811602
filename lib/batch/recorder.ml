type difference = { batch : int; index : int; operation : string; expected : string; got : string }

let explain { batch; index; operation; expected; got } =
  Printf.sprintf "batch %d, operation %d: %s: expected %s, got %s" batch index operation expected got

(* The outcome of an operation. *)
type 'a outcome =
  | Returned of 'a
  | Printed of string  (** a result that was read from a file *)
  | Raised of string
  | Left of string  (** no result, since its batch raised that *)
  | Nothing  (** no result, although the batch returned *)

module Make (S : Structures.GENERIC) = struct
  type ('v, 'a) op = ('v, 'a) S.op
  type 'v packed = 'v S.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed
  type 'v entry = Entry : { index : int; op : ('v, 'a) op; outcome : 'a outcome } -> 'v entry
  type 'v batch = 'v entry array
  type 'v extent = Until_stopped | First of int | Last of int * 'v S.t
  type 'v rank = { rank : 'a. ('v, 'a) op -> int }

  (* All fields but [on] belong to the owner of the structure. *)
  type 'v t = {
    structure : 'v S.t;
    extent : 'v extent;
    order : 'v rank option;
    on : bool Atomic.t;
    kept : 'v batch Queue.t;
    mutable before : int;  (** how many batches came before the kept ones *)
  }

  let record ?rank extent structure =
    (match extent with
    | (First n | Last (n, _)) when n < 1 ->
        invalid_arg (Printf.sprintf "Weft_batch.Recorder.record: %d batches; it takes one or more to keep" n)
    | _ -> ());
    { structure; extent; order = rank; on = Atomic.make true; kept = Queue.create (); before = 0 }

  let stop t = Atomic.set t.on false

  (* {1 Recording} *)

  let in_order rank batch =
    match rank with
    | None -> batch
    | Some { rank } ->
        let of_entry (Entry { op; _ }) = rank op in
        let compare a b = Int.compare (of_entry a) (of_entry b) in
        Array.stable_sort compare batch;
        batch

  let forward base (Entry { op; outcome; _ }) =
    match outcome with
    | Left _ -> ()
    | _ -> ( try ignore (S.apply base op) with e when not (Weft_containers.Fatal.is e) -> ())

  let keep t batch =
    if Array.length batch > 0 then (
      Queue.add (in_order t.order batch) t.kept;
      match t.extent with
      | Until_stopped -> ()
      | First n -> if Queue.length t.kept = n then stop t
      | Last (n, base) ->
          if Queue.length t.kept > n then (
            Array.iter (forward base) (Queue.take t.kept);
            t.before <- t.before + 1))

  let apply t op =
    if not (Atomic.get t.on) then S.apply t.structure op
    else
      match S.apply t.structure op with
      | result ->
          keep t [| Entry { index = 0; op; outcome = Returned result } |];
          result
      | exception e ->
          let backtrace = Printexc.get_raw_backtrace () in
          keep t [| Entry { index = 0; op; outcome = Raised (Printexc.to_string e) } |];
          Printexc.raise_with_backtrace e backtrace

  (* [note t ops ~raised] keeps the contents of the cells when the batch has ended, with that exception or
     normally. *)
  let note t ops ~raised =
    let entry index (Op (op, cell)) =
      let outcome =
        match (Cell.result cell, raised) with
        | Some (Ok result), _ -> Returned result
        | Some (Error (e, _)), _ -> Raised (Printexc.to_string e)
        | None, Some e -> Left (Printexc.to_string e)
        | None, None -> Nothing
      in
      Entry { index; op; outcome }
    in
    keep t (Array.mapi entry ops)

  let run_recorded run t ops =
    if not (Atomic.get t.on) then run t.structure ops
    else
      match run t.structure ops with
      | () -> note t ops ~raised:None
      | exception e ->
          let backtrace = Printexc.get_raw_backtrace () in
          note t ops ~raised:(Some e);
          Printexc.raise_with_backtrace e backtrace

  let run = match S.run with None -> None | Some run -> Some (fun t ops -> run_recorded run t ops)

  (* {1 Replaying} *)

  type 'v recording = { first : int; batches : 'v batch array }

  let recording t = { first = t.before + 1; batches = Array.of_seq (Queue.to_seq t.kept) }
  let batches recording = Array.length recording.batches
  let operations recording = Array.fold_left (fun n batch -> n + Array.length batch) 0 recording.batches

  type 'v meaning = {
    equal : 'a. ('v, 'a) op -> 'a -> 'a -> bool;
    show_result : 'a. ('v, 'a) op -> 'a -> string;
    show_op : 'a. ('v, 'a) op -> string;
  }

  let show meaning op = function
    | Returned result -> meaning.show_result op result
    | Printed text -> text
    | Raised e -> "the exception " ^ e
    | Left e -> "no result: the batch raised " ^ e
    | Nothing -> "no result"

  (* [same meaning op expected outcome] compares a recorded outcome with [expected], which has just been
     computed. *)
  let same (type a) meaning (op : (_, a) op) (expected : a outcome) (outcome : a outcome) =
    match (expected, outcome) with
    | Returned result, Returned result' -> meaning.equal op result result'
    | Returned result, Printed text -> String.equal (meaning.show_result op result) text
    | Raised e, Raised e' -> String.equal e e'
    | _ -> false

  let differs meaning s batch (Entry { index; op; outcome }) =
    match outcome with
    | Left _ -> None
    | _ ->
        let expected =
          match S.apply s op with result -> Returned result | exception e -> Raised (Printexc.to_string e)
        in
        if same meaning op expected outcome then None
        else
          Some
            {
              batch;
              index;
              operation = meaning.show_op op;
              expected = show meaning op expected;
              got = show meaning op outcome;
            }

  let replay meaning s { first; batches } =
    let rec from b i =
      if b = Array.length batches then None
      else if i = Array.length batches.(b) then from (b + 1) 0
      else
        match differs meaning s (first + b) batches.(b).(i) with
        | None -> from b (i + 1)
        | difference -> difference
    in
    from 0 0

  (* {1 Files} *)

  type 'v any = Any : ('v, 'a) op -> 'v any

  (* A line of the text is one of these: [batch 12]; or index, operation, kind of outcome and the outcome,
     separated by tabs; or [end]. *)
  let title = "weft-batch recording 1"
  let ending = "end"
  let batch_prefix = "batch "

  let fields meaning op = function
    | Returned result -> ("returned", meaning.show_result op result)
    | Printed text -> ("returned", text)
    | Raised e -> ("raised", e)
    | Left e -> ("left", e)
    | Nothing -> ("nothing", "")

  (* Printed before the file is opened: if the user's printer raises, the file is as it was. *)
  let save meaning path { first; batches } =
    let text = Buffer.create 65_536 in
    let line fmt = Printf.bprintf text (fmt ^^ "\n") in
    line "%s" title;
    let entry (Entry { index; op; outcome }) =
      let kind, text = fields meaning op outcome in
      line "%d\t%s\t%s\t%s" index (String.escaped (meaning.show_op op)) kind (String.escaped text)
    in
    let batch b entries =
      line "%s%d" batch_prefix (first + b);
      Array.iter entry entries
    in
    Array.iteri batch batches;
    line "%s" ending;
    Weft_platform.File_errors.naming path (Out_channel.with_open_bin path) (fun out ->
        Buffer.output_buffer out text)

  let outcome_of kind text =
    match kind with
    | "returned" -> Printed text
    | "raised" -> Raised text
    | "left" -> Left text
    | "nothing" -> Nothing
    | _ -> failwith (Printf.sprintf "an outcome '%s'" kind)

  let entry_of of_string line =
    match String.split_on_char '\t' line with
    | [ index; op; kind; text ] ->
        let (Any op) = of_string (Scanf.unescaped op) in
        Entry { index = int_of_string index; op; outcome = outcome_of kind (Scanf.unescaped text) }
    | _ -> failwith "not an operation"

  let number_of line =
    let length = String.length batch_prefix in
    if String.starts_with ~prefix:batch_prefix line then
      int_of_string_opt (String.sub line length (String.length line - length))
    else None

  exception Bad of string

  let load of_string path =
    Weft_platform.File_errors.naming path (In_channel.with_open_bin path) @@ fun file ->
    let number = ref 0 in
    let next () =
      incr number;
      match In_channel.input_line file with Some line -> line | None -> raise (Bad "the file is cut short")
    in
    let entry line =
      match entry_of of_string line with
      | entry -> entry
      | exception (Failure message | Invalid_argument message) -> raise (Bad message)
      | exception e -> raise (Bad (Printexc.to_string e))
    in
    let rec entries read =
      let line = next () in
      if line = ending || Option.is_some (number_of line) then (Array.of_list (List.rev read), line)
      else entries (entry line :: read)
    in
    let rec all read line =
      if line = ending then List.rev read
      else
        let batch, line = entries [] in
        all (batch :: read) line
    in
    match
      if next () <> title then raise (Bad ("not '" ^ title ^ "'"));
      let line = next () in
      let first = Option.value (number_of line) ~default:1 in
      if line <> ending && number_of line = None then raise (Bad "not a batch");
      { first; batches = Array.of_list (all [] line) }
    with
    | recording -> Ok recording
    | exception Bad message ->
        let is_printable = String.for_all (fun c -> c >= ' ' && c <= '~') message in
        let message = if is_printable then message else String.escaped message in
        Error (Printf.sprintf "%s, line %d: %s" path !number message)
end
