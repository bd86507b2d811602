open Bigarray

exception Wrong_type of { source : int; wanted : string }

let piece = Atomic.make (1 lsl 30)
let set_piece = Atomic.set piece
let marshal ?(closures = false) v = Raw.marshal v (if closures then [ Marshal.Closures ] else [])
let unmarshal data = Raw.unmarshal data 0 (Array1.dim data)
let create n : Raw.bytes_array = Array1.create char c_layout n

(* --- heads --- *)

type head = { length : int; digest : int64; tag : int }

let head_size = 32
let magic = 0x77656674_6d7069L (* weftmpi *)
let room = 4096
let digest_of = function None -> 0L | Some ty -> Stdlib.String.get_int64_le (Digest.string ty) 0

type kind = { expected : int64; mismatch : int -> exn }

let kind name mismatch = { expected = digest_of (Some name); mismatch }

let kind_of ~who ty =
  let name = match ty with None -> who | Some ty -> who ^ "\000" ^ ty in
  kind name (fun source -> Wrong_type { source; wanted = Option.value ty ~default:"" })

let check_kind kind source digest = if digest <> kind.expected then raise (kind.mismatch source)

let write_head h b =
  let t = Bytes.create head_size in
  Bytes.set_int64_le t 0 (Int64.of_int h.length);
  Bytes.set_int64_le t 8 h.digest;
  Bytes.set_int64_le t 16 (Int64.of_int h.tag);
  Bytes.set_int64_le t 24 magic;
  Raw.bytes_in t 0 b 0 head_size

let read_head b =
  let t = Bytes.create head_size in
  Raw.bytes_out b 0 t 0 head_size;
  let word at = Int64.to_int (Bytes.get_int64_le t at) in
  if Bytes.get_int64_le t 24 <> magic then None
  else Some { length = word 0; digest = Bytes.get_int64_le t 8; tag = word 16 }

let copy a i b j n = if n > 0 then Array1.blit (Array1.sub a i n) (Array1.sub b j n)
let first_part length = Int.min length (room - head_size)

(* --- in pieces --- *)

let rec pieces first last post =
  if first >= last then []
  else
    let n = Int.min (Atomic.get piece) (last - first) in
    let p = post first n in
    p :: pieces (first + n) last post

let post_sends ?to_the_end c ~dest ~tag data first =
  pieces first (Array1.dim data) (Messages.post_send ?to_the_end (Communicator.side c) ~dest ~tag data)

let post_recvs c ~source ~tag data first =
  pieces first (Array1.dim data) (Messages.post_recv (Communicator.side c) ~source ~tag data)

let finish_all = List.iter Engine.finish

(* --- messages --- *)

(* Head and rest are posted together: if the fiber is cancelled meanwhile, they all go on. *)

let send ?(tag = 0) ?ty ?closures c ~dest v =
  Messages.check ~who:"Weft_mpi.Mpi.Value.send" ~dest ~tag c;
  let data = marshal ?closures v in
  let length = Array1.dim data in
  let first = first_part length in
  let rest_tag = if first < length then Communicator.next_tag c else 0 in
  Buffers.(using chars) room (fun b ->
      write_head { length; digest = digest_of ty; tag = rest_tag } b;
      copy data 0 b head_size first;
      let comm = Communicator.main c and n = head_size + first in
      if first = length then Messages.send_part comm ~dest ~tag b 0 n
      else begin
        Engine.check ();
        let rest = post_sends c ~dest ~tag:rest_tag data first in
        finish_all (Messages.post_send comm ~dest ~tag b 0 n :: rest)
      end)

let wrong_type source ty = raise (Wrong_type { source; wanted = Option.value ty ~default:"" })

let recv ?(tag = 0) ?source ?ty c =
  Messages.check ~who:"Weft_mpi.Mpi.Value.recv" ?source ~tag c;
  let receive b =
    let s, fits = Messages.receive_or_drop (Communicator.main c) ?source ~tag (Array1.sub b 0 room) in
    match if s.(Raw.bytes) < head_size || not fits then None else read_head b with
    | None -> wrong_type s.(Raw.source) ty
    | Some head ->
        let data = create head.length and first = first_part head.length in
        copy b head_size data 0 first;
        (s, head, data, first)
  in
  let s, head, data, first = Buffers.(using chars) room receive in
  finish_all (post_recvs c ~source:s.(Raw.source) ~tag:head.tag data first);
  if head.digest <> digest_of ty then wrong_type s.(Raw.source) ty;
  (unmarshal data, { Messages.source = s.(Raw.source); tag = s.(Raw.tag); count = head.length })

(* --- collectives: several steps, which the other ranks count on; lengths, tags and kinds come first --- *)

let words n = Array1.create int64 c_layout n

(* [n] heads of three words. *)
let heads n = words (3 * n)

let set_head heads i kind length tag =
  heads.{3 * i} <- Int64.of_int length;
  heads.{(3 * i) + 1} <- Int64.of_int tag;
  heads.{(3 * i) + 2} <- kind.expected

let length_in heads i = Int64.to_int heads.{3 * i}
let tag_in heads i = Int64.to_int heads.{(3 * i) + 1}
let check_head kind heads i source = check_kind kind source heads.{(3 * i) + 2}

(* In the place of a tag. *)
let broadcast_mark = 0x62_63617374 (* bcast *)

let broadcast_data c ~kind ~root given =
  let comm = Communicator.side c and sender = Communicator.rank c = root in
  let head = heads 1 in
  if sender then set_head head 0 kind (Array1.dim given) broadcast_mark;
  Engine.perform_to_the_end ~what:"MPI_Ibcast" ~keep_alive:head (fun () -> Raw.ibcast head 0 3 root comm);
  (* MPI may have matched this broadcast with another collective of the root, as a gather or scatter of heads:
     then its value comes as a message, or not at all. *)
  if tag_in head 0 <> broadcast_mark then raise (kind.mismatch root);
  let data = if sender then given else create (length_in head 0) in
  let post first n =
    Engine.post ~to_the_end:true ~what:"MPI_Ibcast" ~keep_alive:data (fun () ->
        Raw.ibcast data first n root comm)
  in
  finish_all (pieces 0 (Array1.dim data) post);
  check_head kind head 0 root;
  data

let of_root ~who = function Some v -> v | None -> invalid_arg (who ^ ": the root gives no value")

let broadcast ?ty ?closures c ~root v =
  let who = "Weft_mpi.Mpi.Value.broadcast" in
  Communicator.check_rank ~who c root;
  let own = if Communicator.rank c = root then Some (of_root ~who v) else None in
  let given = match own with Some v -> marshal ?closures v | None -> create 0 in
  Engine.check ();
  let data = broadcast_data c ~kind:(kind_of ~who ty) ~root given in
  match own with Some v -> v | None -> unmarshal data

(* --- by messages, which are sent when their heads have been exchanged --- *)

let expect c heads i source =
  let data = create (length_in heads i) in
  (data, post_recvs c ~source ~tag:(tag_in heads i) data 0)

let received (data, requests) =
  finish_all requests;
  unmarshal data

(* Where all ranks see the heads of all, none goes on if these differ. *)
let check_all kind heads size =
  for i = 0 to size - 1 do
    check_head kind heads i i
  done

let gather_data c ~kind ~root data v =
  let size = Communicator.size c and rank = Communicator.rank c in
  let mine = heads 1 and all = heads (if rank = root then size else 0) in
  let tag = Communicator.next_tag c in
  set_head mine 0 kind (Array1.dim data) tag;
  Engine.perform_to_the_end ~what:"MPI_Igather" ~keep_alive:(mine, all) (fun () ->
      Raw.igather mine all root (Communicator.side c));
  if rank <> root then begin
    finish_all (post_sends ~to_the_end:true c ~dest:root ~tag data 0);
    None
  end
  else begin
    let coming = Array.init size (fun i -> if i = root then None else Some (expect c all i i)) in
    Array.iter (Option.iter (fun (_, requests) -> finish_all requests)) coming;
    check_all kind all size;
    Some (Array.map (function None -> v | Some (data, _) -> unmarshal data) coming)
  end

let gather ?ty ?closures c ~root v =
  let who = "Weft_mpi.Mpi.Value.gather" in
  Communicator.check_rank ~who c root;
  let data = marshal ?closures v in
  Engine.check ();
  gather_data c ~kind:(kind_of ~who ty) ~root data v

let scatter ?ty ?closures c ~root vs =
  let who = "Weft_mpi.Mpi.Value.scatter" in
  Communicator.check_rank ~who c root;
  let kind = kind_of ~who ty in
  let size = Communicator.size c and rank = Communicator.rank c in
  let vs = if rank = root then of_root ~who vs else [||] in
  if rank = root && Array.length vs <> size then
    invalid_arg (Printf.sprintf "%s: %d values for %d ranks" who (Array.length vs) size);
  let mine = heads 1 and all = heads (if rank = root then size else 0) in
  let outgoing = Array.mapi (fun i v -> if i = root then create 0 else marshal ?closures v) vs in
  let tags = Array.map (fun _ -> Communicator.next_tag c) vs in
  Array.iteri (fun i data -> set_head all i kind (Array1.dim data) tags.(i)) outgoing;
  Engine.check ();
  Engine.perform_to_the_end ~what:"MPI_Iscatter" ~keep_alive:(mine, all) (fun () ->
      Raw.iscatter all mine root (Communicator.side c));
  if rank = root then begin
    let post i data = if i = root then [] else post_sends ~to_the_end:true c ~dest:i ~tag:tags.(i) data 0 in
    Array.iter finish_all (Array.mapi post outgoing);
    vs.(root)
  end
  else begin
    let data, requests = expect c mine 0 root in
    finish_all requests;
    check_head kind mine 0 root;
    unmarshal data
  end

let all_to_all_data c ~kind outgoing vs =
  let size = Communicator.size c and rank = Communicator.rank c in
  let tags = Array.map (fun _ -> Communicator.next_tag c) vs in
  let mine = heads size and theirs = heads size in
  Array.iteri (fun i data -> set_head mine i kind (Array1.dim data) tags.(i)) outgoing;
  Engine.perform_to_the_end ~what:"MPI_Ialltoall" ~keep_alive:(mine, theirs) (fun () ->
      Raw.ialltoall mine theirs 3 (Communicator.side c));
  check_all kind theirs size;
  let coming = Array.init size (fun i -> if i = rank then None else Some (expect c theirs i i)) in
  let post i data = if i = rank then [] else post_sends ~to_the_end:true c ~dest:i ~tag:tags.(i) data 0 in
  let going = Array.mapi post outgoing in
  let result = Array.map (function None -> vs.(rank) | Some x -> received x) coming in
  Array.iter finish_all going;
  result

let all_to_all ?ty ?closures c vs =
  let who = "Weft_mpi.Mpi.Value.all_to_all" in
  let size = Communicator.size c and rank = Communicator.rank c in
  if Array.length vs <> size then
    invalid_arg (Printf.sprintf "%s: %d values for %d ranks" who (Array.length vs) size);
  let outgoing = Array.mapi (fun i v -> if i = rank then create 0 else marshal ?closures v) vs in
  Engine.check ();
  all_to_all_data c ~kind:(kind_of ~who ty) outgoing vs

(* --- between some ranks --- *)

let swap_data c ~kind outgoing =
  let comm = Communicator.main c in
  let expect_from (source, _) =
    let b = create room in
    (b, source, Messages.post_recv comm ~source ~tag:0 b 0 room)
  in
  let send (dest, data) =
    let length = Array1.dim data in
    let first = first_part length in
    let rest_tag = if first < length then Communicator.next_tag c else 0 in
    let b = create (head_size + first) in
    write_head { length; digest = kind.expected; tag = rest_tag } b;
    copy data 0 b head_size first;
    let rest = post_sends ~to_the_end:true c ~dest ~tag:rest_tag data first in
    Messages.post_send ~to_the_end:true comm ~dest ~tag:0 b 0 (head_size + first) :: rest
  in
  let rest (b, source, request) =
    Engine.finish request;
    match read_head b with
    | None -> raise (kind.mismatch source)
    | Some head ->
        let data = create head.length and first = first_part head.length in
        copy b head_size data 0 first;
        (source, head.digest, data, post_recvs c ~source ~tag:head.tag data first)
  in
  let expected = List.map expect_from outgoing in
  let going = List.concat_map send outgoing in
  let coming = List.map rest expected in
  List.iter (fun (_, _, _, requests) -> finish_all requests) coming;
  finish_all going;
  List.iter (fun (source, digest, _, _) -> check_kind kind source digest) coming;
  List.map (fun (_, _, data, _) -> unmarshal data) coming

(* --- to all --- *)

let gather_lengths c ~kind n =
  let size = Communicator.size c in
  let mine = heads 1 and all = heads size in
  set_head mine 0 kind n 0;
  Engine.perform_to_the_end ~what:"MPI_Iallgather" ~keep_alive:(mine, all) (fun () ->
      Raw.iallgather mine all (Communicator.side c));
  check_all kind all size;
  Array.init size (length_in all)

let all_gather_data c ~kind data v =
  let size = Communicator.size c and rank = Communicator.rank c in
  let lengths = gather_lengths c ~kind (Array1.dim data) in
  let total = Array.fold_left ( + ) 0 lengths and at = Collectives.offsets lengths in
  if total > Atomic.get piece then
    let from root =
      let data = broadcast_data c ~kind ~root (if root = rank then data else create 0) in
      if root = rank then v else unmarshal data
    in
    Array.init size from
  else begin
    let counts = Array1.of_array int32 c_layout (Array.map Int32.of_int (Array.append lengths at)) in
    let all = create total in
    Engine.perform_to_the_end ~what:"MPI_Iallgatherv" ~keep_alive:(data, all, counts) (fun () ->
        Raw.iallgatherv data lengths.(rank) all counts (Communicator.side c));
    Array.init size (fun i -> if i = rank then v else Raw.unmarshal all at.(i) lengths.(i))
  end

let all_gather ?ty ?closures c v =
  let data = marshal ?closures v in
  Engine.check ();
  all_gather_data c ~kind:(kind_of ~who:"Weft_mpi.Mpi.Value.all_gather" ty) data v
