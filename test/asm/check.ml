(* Checks the machine code of the fast path: the orders of memory accesses on which the protocols rely, and
   what must not occur. Reads the output of objdump on a release build for x86-64. *)

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

(* The instructions of the function whose symbol is [name] followed by a number. *)
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
let registers = [ "rax"; "rbx"; "rdi"; "rsi"; "rdx"; "rcx"; "r8"; "r9"; "r10"; "r11"; "r12"; "r13"; "rbp" ]
let at_any offset f = List.exists (fun r -> f (Printf.sprintf "%s(%%%s)" offset r)) registers
let loads_from_any offset line = at_any offset (fun operand -> loads_from operand line)
let stores_to_any offset line = at_any offset (fun operand -> stores_to operand line)

(* --- along the jumps --- *)

let address line = String.trim (List.hd (String.split_on_char ':' line))

(* The target of a jump, or the address that is computed relative to the instruction. *)
let target line =
  match String.index_opt line '#' with
  | Some i -> List.nth (String.split_on_char ' ' (String.sub line i (String.length line - i))) 1
  | None -> (
      match List.filter (( <> ) "") (String.split_on_char ' ' (operands line)) with
      | _ :: target :: _ -> target
      | _ -> "")

let index_of body address' = position (fun l -> address l = address') body

(* The instructions that may run from the instruction [from] on, up to one that satisfies [until]
   (excluded); and whether such a one is reached. Jumps out of the function are not followed. *)
let reachable body ~from ~until =
  let code = Array.of_list body in
  let seen = Array.make (Array.length code) false and reached = ref false in
  let rec go i =
    if i >= 0 && i < Array.length code && not seen.(i) then
      if until code.(i) then reached := true
      else begin
        seen.(i) <- true;
        let instruction = operands code.(i) in
        if String.starts_with ~prefix:"j" instruction then go (index_of body (target code.(i)));
        if
          not
            (String.starts_with ~prefix:"jmp" instruction
            || String.starts_with ~prefix:"ret" instruction
            || contains "caml_raise" instruction || contains "caml_reraise" instruction)
        then go (i + 1)
      end
  in
  go from;
  (List.filteri (fun i _ -> seen.(i)) body, !reached)

let no_safepoint what body ~from ~until =
  let code, reached = if from < 0 then ([], false) else reachable body ~from ~until in
  let is_safepoint l =
    contains "caml_call_gc" l || contains "(%r14),%r15" l
    || (contains "call " l && not (List.exists (fun ok -> contains ok l) [ "<weft_"; "Deque.fenced_push_" ]))
  in
  check (what ^ ": comes to the end") reached;
  check (what ^ ": no safepoint") (not (List.exists is_safepoint code))

(* From the comparison of bottom with limit, at offset 0x8, to the push and on to the load of the wake
   word, at 0x28. The job is allocated before that. *)
let look_to_push name body =
  let first = position (contains "<weft_current>") body in
  let allocation = position ~from:first (contains "(%r14),%r15") body in
  let look = position ~from:(max first allocation) (loads_from_any "0x8") body in
  let push = position ~from:look (fun l -> contains ",4)" l && is_mov l) body in
  let after = position ~from:push (loads_from_any "0x28") body in
  check (name ^ " looks at limit, then pushes") (first >= 0 && look > first && push > look && after > push);
  no_safepoint
    (name ^ ", from its look at the deque to its push")
    body ~from:look ~until:(loads_from_any "0x28")

let () =
  (* par: no barrier, no read-modify-write, no caml_modify, since they would cost most of its speed. *)
  let name = "camlWeft_scheduler__Fork_join.par" in
  let par = body name in
  List.iter (no name par) [ "lock "; "mfence"; "caml_modify"; "caml_initialize"; "caml_atomic" ];
  (* An xchg with memory is atomic by itself; one between registers is padding. *)
  check (name ^ " has no xchg") (not (List.exists (fun l -> contains "xchg" l && contains "(" l) par));
  (* A fork does not ask whether somebody traces; the beginning of a job does, with a load and a branch for
     each way to trace. *)
  no name par "Trace_hooks";
  no "async" (body "camlWeft_scheduler__Fork_join.async") "Trace_hooks";
  let execute = body "camlWeft_scheduler__Worker_loop.execute" in
  let asked l = contains "Weft_scheduler__Trace_hooks" l in
  check "execute asks twice whether anybody listens" (List.length (List.filter asked execute) = 2);
  (* par's pop writes bottom before it reads top: the compiler must not swap them. Fields of the deque:
     bottom is at 0, the address of top at 0x20. The pop follows the second look-up of the current deque. *)
  let first = position (contains "<weft_current>") par in
  let second = position ~from:(first + 1) (contains "<weft_current>") par in
  check "par looks its deque up twice" (first >= 0 && second > first);
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
  (* The context in which the job is made: one load, before the job's allocation, which comes before the
     comparison with limit. *)
  let context = position ~from:first (loads_from_any "0x40") par in
  let allocation = position ~from:first (contains "(%r14),%r15") par in
  check "par loads its context before it allocates its job"
    (first >= 0 && context > first && allocation > context);
  (* From the comparison with limit to the push there is no safepoint, where a signal handler might push.
     The same in async. *)
  look_to_push name par;
  look_to_push "camlWeft_scheduler__Fork_join.async" (body "camlWeft_scheduler__Fork_join.async");

  (* steal and pop have no safepoint at all, and steal reads bottom before and after the barrier. *)
  let steal = body "camlWeft_scheduler__Deque.steal" in
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
    [
      "camlWeft_scheduler__Deque.steal"; "camlWeft_scheduler__Deque.pop"; "camlWeft_scheduler__Deque.pop_last";
    ];

  (* Making room and then pushing: no safepoint in between, and none inside make_room, not even in its
     calls of C. *)
  let make_room = body "camlWeft_platform__Deque_memory.make_room" in
  List.iter (no "make_room" make_room) [ "caml_call_gc"; "(%r14),%r15"; "caml_c_call" ];
  let push_only = body "camlWeft_scheduler__Worker.push_only" in
  List.iter (no "push_only" push_only) [ "caml_call_gc"; "(%r14),%r15"; "caml_c_call" ];
  check "push_only calls nothing but make_room and fenced_push"
    (List.for_all
       (fun l ->
         contains "Deque_memory.make_room_" l || contains "Deque.fenced_push_" l
         || contains "caml_call_realloc_stack" l
         || not (contains "call " l))
       push_only);

  (* No caml_modify: the deque is outside the heap. *)
  let name = "camlWeft_scheduler__Context.within" in
  let within = body name in
  List.iter (no name within) [ "caml_modify"; "caml_initialize" ];
  let called = position (contains "call   *") within in
  check
    (name ^ " sets the context before it calls")
    (let set = position (stores_to_any "0x40") within in
     set >= 0 && set < called);
  (* Reads of atomic arrays are loads, inline; the compiler has merged none of them. *)
  let loads body =
    List.length
      (List.filter (fun l -> List.exists (fun r -> loads_from (Printf.sprintf "(%%%s)" r) l) registers) body)
  in
  let reads = body "camlDune__exe__Subject.three_reads" in
  List.iter (no "three_reads" reads) [ "caml_call_gc"; "<weft_atomic_words" ];
  check "three reads are three loads" (loads reads = 3);
  check "a reference is loaded again behind a read" (loads (body "camlDune__exe__Subject.read_between") = 3);
  Printf.printf "asm: %d passed, %d failed\n" (!checks - !failures) !failures;
  exit (if !failures = 0 then 0 else 1)
