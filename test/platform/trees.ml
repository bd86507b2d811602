type file = string * string

let rec make_directory path =
  if not (Sys.file_exists path) then begin
    make_directory (Filename.dirname path);
    Sys.mkdir path 0o755
  end

let write root (path, content) =
  let path = Filename.concat root path in
  make_directory (Filename.dirname path);
  Out_channel.with_open_bin path (fun channel -> Out_channel.output_string channel content)

let with_tree files f =
  Testing.Folder.within "weft-machine" @@ fun root ->
  List.iter (write root) files;
  f ~root

(* {1 The files of a system} *)

let allowed list = ("proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t" ^ list ^ "\n")
let group content = ("proc/self/cgroup", content)
let mountinfo lines = ("proc/self/mountinfo", String.concat "" (List.map (fun line -> line ^ "\n") lines))
let v2_mount = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"
let v1_mount = "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct"
let other_mounts = [ "22 1 8:1 / / rw,relatime - ext4 /dev/vda1 rw"; "31 22 0:28 / /run rw - tmpfs tmpfs rw" ]
let v2 files = group "0::/a/b/c\n" :: mountinfo (other_mounts @ [ v2_mount ]) :: files
let v2_file directory content = ("sys/fs/cgroup" ^ directory ^ "/cpu.max", content)

let v1_files ?(period = "100000\n") directory quota =
  [
    ("sys/fs/cgroup/cpu,cpuacct" ^ directory ^ "/cpu.cfs_quota_us", quota);
    ("sys/fs/cgroup/cpu,cpuacct" ^ directory ^ "/cpu.cfs_period_us", period);
  ]

let v1 files =
  group "5:memory:/m\n4:cpuacct,cpu:/x/y\n1:name=systemd:/z\n"
  :: mountinfo (other_mounts @ [ v1_mount ])
  :: files

let memory limit = v2 [ ("sys/fs/cgroup/a/memory.max", limit) ]
