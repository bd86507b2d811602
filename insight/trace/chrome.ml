type t = { text : Buffer.t; began : int; pid : int; mutable any : bool }

let create text ~began ~pid =
  Buffer.add_string text "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  { text; began; pid; any = false }

(* --- JSON --- *)

let is_plain c = c >= ' ' && c < '\x7f' && c <> '"' && c <> '\\'

(* Bytes that are not UTF-8 become the replacement character. *)
let add_escaped b s =
  let rec add i =
    if i < String.length s then begin
      let c = String.get_utf_8_uchar s i in
      (match Uchar.utf_decode_uchar c with
      | u when Uchar.to_int u = Char.code '"' -> Buffer.add_string b "\\\""
      | u when Uchar.to_int u = Char.code '\\' -> Buffer.add_string b "\\\\"
      | u when Uchar.to_int u < 0x20 || Uchar.to_int u = 0x7f -> Printf.bprintf b "\\u%04x" (Uchar.to_int u)
      | u -> Buffer.add_utf_8_uchar b u);
      add (i + Uchar.utf_decode_length c)
    end
  in
  add 0

let add_string b s =
  Buffer.add_char b '"';
  if String.for_all is_plain s then Buffer.add_string b s else add_escaped b s;
  Buffer.add_char b '"'

let add_int b n = Buffer.add_string b (string_of_int n)

(* Microseconds with three decimals. *)
let add_time b ns =
  let ns = max 0 ns in
  add_int b (ns / 1000);
  let rest = ns mod 1000 in
  Buffer.add_char b '.';
  Buffer.add_char b (Char.chr (48 + (rest / 100)));
  Buffer.add_char b (Char.chr (48 + (rest / 10 mod 10)));
  Buffer.add_char b (Char.chr (48 + (rest mod 10)))

let add_argument b first (name, value) =
  if not first then Buffer.add_char b ',';
  add_string b name;
  Buffer.add_char b ':';
  match (value : Event.argument) with
  | Int n -> add_int b n
  | Text s -> add_string b s
  | Bool v -> Buffer.add_string b (string_of_bool v)

let add_arguments b arguments =
  Buffer.add_string b ",\"args\":{";
  List.iteri (fun i argument -> add_argument b (i = 0) argument) arguments;
  Buffer.add_string b "}}"

(* --- events --- *)

let next_line t =
  if t.any then Buffer.add_string t.text ",\n";
  t.any <- true

let add_row t ~track =
  let b = t.text in
  Buffer.add_string b ",\"pid\":";
  add_int b t.pid;
  Buffer.add_string b ",\"tid\":";
  add_int b track

let event t (e : Event.t) =
  let b = t.text in
  next_line t;
  let phase =
    match e.shape with
    | Complete _ -> "X"
    | Instant -> "i"
    | Begin _ -> "b"
    | End _ -> "e"
    | Counter _ -> "C"
    | Flow_out _ -> "s"
    | Flow_in _ -> "f"
  in
  Buffer.add_string b "{\"ph\":\"";
  Buffer.add_string b phase;
  Buffer.add_string b "\",\"ts\":";
  add_time b (e.time - t.began);
  (match e.shape with
  | Complete length ->
      Buffer.add_string b ",\"dur\":";
      add_time b length
  | Instant -> Buffer.add_string b ",\"s\":\"t\""
  | Begin id | End id | Counter id | Flow_out id | Flow_in id ->
      Buffer.add_string b ",\"id\":\"";
      add_int b id;
      Buffer.add_char b '"');
  (* The arrow ends at what encloses its point, not at what comes next. *)
  (match e.shape with Flow_in _ -> Buffer.add_string b ",\"bp\":\"e\"" | _ -> ());
  add_row t ~track:e.track;
  Buffer.add_string b ",\"cat\":\"";
  Buffer.add_string b (Category.name e.category);
  Buffer.add_string b "\",\"name\":";
  add_string b e.name;
  add_arguments b e.arguments

let metadata t ~track name arguments =
  next_line t;
  Buffer.add_string t.text "{\"ph\":\"M\"";
  add_row t ~track;
  Buffer.add_string t.text ",\"name\":";
  add_string t.text name;
  add_arguments t.text arguments

(* --- the end --- *)

let lost_json (l : Event.lost) more : Yojson.Safe.t =
  `Assoc ([ ("words", `Int l.words); ("events", `Int l.events) ] @ more)

let by_ring json list : Yojson.Safe.t =
  `Assoc (List.map (fun (ring, value) -> (string_of_int ring, json value)) list)

let worker_json (w : Event.worker) : Yojson.Safe.t =
  let pool = match w.pool with Some pool -> `String pool | None -> `Null in
  `Assoc [ ("worker", `Int w.index); ("pool", pool); ("number", `Int w.number) ]

let fiber_json (f : Event.fiber) : Yojson.Safe.t =
  let text key value = (key, `String value) in
  `Assoc
    ([ ("fiber", `Int f.fiber) ]
    @ (if f.parent > 0 then [ ("parent", `Int f.parent) ] else [])
    @ (if f.name = "" then [] else [ text "name" f.name ])
    @ Option.to_list (Option.map (text "at") f.at))

let about_json (a : Event.about) : Yojson.Safe.t =
  let outcome, code =
    match a.outcome with
    | Exited code -> ("exited", `Int code)
    | Killed signal -> ("killed", `Int signal)
    | Ended -> ("ended", `Null)
    | Running -> ("running", `Null)
  in
  let rings = by_ring (fun lost -> lost_json lost []) a.lost in
  let tracer_cpu = Option.map (fun ns -> ("tracer_cpu_ns", `Int ns)) a.tracer_cpu in
  `Assoc
    ([
       ("version", `Int 1);
       ("program", `String a.program);
       ("arguments", `List (List.map (fun s -> `String s) a.arguments));
       ("pid", `Int a.pid);
       ("by", `String (match a.by with `Trace -> "trace" | `Attach -> "attach" | `Rings -> "rings"));
       ("outcome", `String outcome);
       ("code", code);
       ("started_ns", `Int a.began);
       ("started_at", `Float a.began_at);
       ("duration_ns", `Int (max 0 (a.ended - a.began)));
       ("last_s", match a.last with Some seconds -> `Float seconds | None -> `Null);
       ("events", `Int a.events);
       ("lost", lost_json (Event.lost_in_all a) [ ("rings", rings) ]);
       ("damaged", match a.damaged with Some why -> `String why | None -> `Null);
     ]
    @ Option.to_list tracer_cpu
    @ [
        ("unmatched", `Int a.unmatched);
        ("domains", `Int (List.length a.read));
        ("rings", by_ring (fun n -> `Assoc [ ("events", `Int n) ]) a.read);
        ("workers", `List (List.map worker_json a.workers));
        ("fibers", `List (List.map fiber_json a.fibers));
        ("weft", `String a.weft);
      ])

let rec valid (json : Yojson.Safe.t) : Yojson.Safe.t =
  match json with
  | `String s when not (String.is_valid_utf_8 s) ->
      let b = Buffer.create (String.length s) in
      let rec add i =
        if i < String.length s then begin
          let c = String.get_utf_8_uchar s i in
          Buffer.add_utf_8_uchar b (Uchar.utf_decode_uchar c);
          add (i + Uchar.utf_decode_length c)
        end
      in
      add 0;
      `String (Buffer.contents b)
  | `List l -> `List (List.map valid l)
  | `Assoc l -> `Assoc (List.map (fun (name, value) -> (name, valid value)) l)
  | other -> other

let finish t (a : Event.about) =
  metadata t ~track:0 "process_name" [ ("name", Text (Filename.basename a.program)) ];
  List.iter (fun (track, name) -> metadata t ~track "thread_name" [ ("name", Event.Text name) ]) a.tracks;
  List.iter
    (fun (track, _) -> metadata t ~track "thread_sort_index" [ ("sort_index", Event.Int track) ])
    a.tracks;
  Buffer.add_string t.text "\n],\"otherData\":{\"weft\":";
  Buffer.add_string t.text (Yojson.Safe.to_string ~std:true (valid (about_json a)));
  Buffer.add_string t.text "}}\n"
