/** Ends of files that are ends of domains too: a word such as `build.sh` is no host by its look. */
export const FILE_ENDINGS: ReadonlySet<string> = new Set(
  (
    "sh py rs md zip pl so ai ps cc ml mk in la js ts tf as bz cat cd cs doc el ex fs go gz hs java jar json kt log lua mo mov nim nu pm " +
    "pub rb sc sql st tar tex toml txt vi vim vue bin exe lock bat cmd"
  ).split(" "),
);
