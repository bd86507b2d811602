let rival =
  Rival.Missing
    { name = "domainslib"; reason = "the library domainslib was not there at build time (see 'make rivals')" }
