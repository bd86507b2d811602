let rival =
  Rival.Missing
    {
      name = "picos";
      reason =
        "the libraries picos_mux.multififo and picos_std.structured were not there at build time (install \
         picos_mux and picos_std by opam)";
    }
