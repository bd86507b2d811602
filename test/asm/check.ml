(* What the compiler made of the fast path: the orders of memory accesses that the protocols rely on, and what must not be
   there at all. Reads the output of objdump on a release build for x86-64. *)

let lines = In_channel.with_open_bin Sys.argv.(1) In_channel.input_lines

let contains part line =
  let n = String.length part in
  let rec at i = i + n <= String.length line && (String.sub line i n = part || at (i + 1)) in
  at 0

let failures = ref 0
let checks = ref 0

let check what ok =
  incr checks;
  if not ok then begin
    incr failures;
    Printf.printf "FAILED: %s\n" what
  end

(* The instructions of the function whose symbol is [name] and a number. *)
let body name =
  let is_start line =
    match String.index_opt line '<' with
    | Some i when String.ends_with ~suffix:">:" line ->
        let symbol = String.sub line (i + 1) (String.length line - i - 3) in
        String.starts_with ~prefix:(name ^ "_") symbol
        && String.for_all
             (fun c -> c >= '0' && c <= '9')
             (String.sub symbol (String.length name + 1) (String.length symbol - String.length name - 1))
    | _ -> false
  in
  let rec find = function [] -> [] | l :: rest -> if is_start l then take rest else find rest
  and take = function [] -> [] | "" :: _ -> [] | l :: rest -> l :: take rest in
  let found = find lines in
  check (Printf.sprintf "%s is there" name) (found <> []);
  found

let count part body = List.length (List.filter (contains part) body)

(* The position of the first instruction from [from] on that satisfies [p], or -1. *)
let position ?(from = 0) p body =
  let rec go i = function [] -> -1 | l :: rest -> if i >= from && p l then i else go (i + 1) rest in
  go 0 body

let no name body part = check (Printf.sprintf "%s has no %s" name part) (count part body = 0)

(* An instruction with an operand of the form offset(%register), as a load or as a store. *)
let operands line =
  match String.index_opt line '\t' with
  | None -> ""
  | Some i -> String.sub line (i + 1) (String.length line - i - 1)

let is_mov line = String.starts_with ~prefix:"mov " (operands line)
let loads_from operand line = is_mov line && contains (" " ^ operand ^ ",%") line
let stores_to operand line = is_mov line && String.ends_with ~suffix:("," ^ operand) (String.trim line)

let () =
  (* par: no barrier, no read-modify-write, no caml_modify; it is where the whole speed comes from. *)
  let name = "camlWeft_sched__Fork_join.par" in
  let par = body name in
  List.iter (no name par) [ "lock "; "mfence"; "caml_modify"; "caml_initialize"; "caml_atomic" ];
  (* An exchange with memory is atomic by itself; between registers it is padding. *)
  check (name ^ " has no xchg") (not (List.exists (fun l -> contains "xchg" l && contains "(" l) par));
  (* Its pop writes bottom before it reads top: the compiler must not swap them. Fields of the deque: bottom at 0, top's address
     at 0x20. After the second look-up of the current deque. *)
  let first = position (contains "<weft_current>") par in
  let second = position ~from:(first + 1) (contains "<weft_current>") par in
  check "par looks its deque up twice" (first >= 0 && second > first);
  let registers =
    [ "rax"; "rbx"; "rdi"; "rsi"; "rdx"; "rcx"; "r8"; "r9"; "r10"; "r11"; "r12"; "r13"; "rbp" ]
  in
  let pop_order =
    List.exists
      (fun r ->
        let store =
          position ~from:second
            (fun l -> stores_to (Printf.sprintf "(%%%s)" r) l || stores_to (Printf.sprintf "0x0(%%%s)" r) l)
            par
        in
        let load = position ~from:second (loads_from (Printf.sprintf "0x20(%%%s)" r)) par in
        store >= 0 && load > store)
      registers
  in
  check "par's pop writes bottom, then reads top" pop_order;
  (* No safepoint between the look at the deque and the push: the calls before the first call of a closure. *)
  let push_end = position (contains "call   *") par in
  let safepoints =
    List.filteri
      (fun i l -> i > first && i < push_end && (contains "caml_call_gc" l || contains "(%r14),%r15" l))
      par
  in
  check "no safepoint between par's look at the deque and its push"
    (first >= 0 && push_end > first && safepoints = []);

  (* steal and pop: no safepoint at all, and steal reads bottom before and after the barrier. *)
  let steal = body "camlWeft_deque__Deque.steal" in
  let barrier = position (contains "<weft_membarrier>") steal in
  let bottom_load l =
    List.exists
      (fun r -> loads_from (Printf.sprintf "(%%%s)" r) l || loads_from (Printf.sprintf "0x0(%%%s)" r) l)
      registers
  in
  check "steal issues the barrier" (barrier >= 0);
  check "steal reads bottom before the barrier"
    (position bottom_load steal >= 0 && position bottom_load steal < barrier);
  check "steal reads bottom after the barrier" (position ~from:barrier bottom_load steal > barrier);
  List.iter
    (fun name ->
      let body = body name in
      no name body "caml_call_gc";
      no name body "(%r14),%r15";
      no name body "caml_alloc")
    [ "camlWeft_deque__Deque.steal"; "camlWeft_deque__Deque.pop"; "camlWeft_deque__Deque.pop_last" ];

  (* Bindings and the trip of the deque change together: no safepoint between. *)
  let set_locals = body "camlWeft_sched__Worker.set_locals" in
  List.iter (no "set_locals" set_locals) [ "caml_call_gc"; "(%r14),%r15"; "caml_alloc"; "caml_c_call" ];
  (* A tripped deque: no safepoint between the making of room and the push, nor inside the former. *)
  let make_room = body "camlWeft_support__Deque_cells.make_room" in
  List.iter (no "make_room" make_room) [ "caml_call_gc"; "(%r14),%r15"; "caml_c_call" ];
  let par = body "camlWeft_sched__Fork_join.par_tripped" in
  let room = position (contains "Deque_cells.make_room") par in
  let push_end = position ~from:room (contains "call   *") par in
  let safepoints =
    List.filteri
      (fun i l ->
        i > room && i < push_end
        && (contains "caml_call_gc" l || contains "(%r14),%r15" l || contains "Locals" l))
      par
  in
  check "no safepoint between a tripped par's making of room and its push"
    (room >= 0 && push_end > room && safepoints = []);
  Printf.printf "asm: %d passed, %d failed\n" (!checks - !failures) !failures;
  exit (if !failures = 0 then 0 else 1)
