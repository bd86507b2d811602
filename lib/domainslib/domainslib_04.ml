module Task = struct
  include Domainslib.Task

  let setup_pool ?name ~num_additional_domains () =
    if num_additional_domains < 0 then
      invalid_arg "Task.setup_pool: num_additional_domains must be at least 0";
    Domainslib.Task.setup_pool ?name ~num_domains:num_additional_domains ()

  exception TasksActive
end

module Chan = Domainslib.Chan
