export const RUST_PROGRAMS = String.raw`
# Rust. Building a crate runs its build script, which can do anything.

cargo
  class none
  options -V,--version,-vV --list -v,--verbose -q,--quiet +nightly,+stable,+beta -C=code --config=code -Z=code --offline
  options --locked --frozen --color= --help,-h
  obeys rust
  try cargo --version => none ?
  try cargo weird => process.exec ?
  try cargo --config evil tree => process.exec ?

cargo tree, cargo metadata, cargo pkgid, cargo locate-project, cargo read-manifest, cargo verify-project, cargo search,
cargo info, cargo version, cargo help, cargo report
  class network.read
  check manifest
  takes text...
  options -p,--package= --workspace --exclude= -e,--edges= -i,--invert? --prune= --depth= --no-dedupe -d,--duplicates
  options -f,--format= --prefix= --features,-F= --all-features --no-default-features --target= --manifest-path=read
  options --format-version= --no-deps --filter-platform= --offline --locked --frozen -q,--quiet -v,--verbose --color=
  options --charset= --limit= --message-format= --all --index=url --registry=
  obeys cargo
  try cargo tree => network.read ?
  try cargo metadata --format-version 1 --no-deps => network.read ?
  try cargo search serde => network.read ?
  try cargo tree --config x => network.read ?
  try cargo tree -p --config x => network.read ?
  try cargo tree -i serde => network.read ?

cargo build, cargo b, cargo check, cargo c, cargo test, cargo t, cargo run, cargo r, cargo bench, cargo doc, cargo d,
cargo clippy, cargo fix, cargo install, cargo uninstall, cargo update, cargo fetch, cargo vendor, cargo add,
cargo remove, cargo rm, cargo new, cargo init, cargo package, cargo rustc, cargo rustdoc, cargo clean,
cargo generate-lockfile, cargo nextest, cargo audit, cargo deny, cargo outdated, cargo expand, cargo watch,
cargo llvm-cov, cargo tarpaulin, cargo miri, cargo machete, cargo udeps, cargo bloat, cargo binstall, cargo make,
cargo xtask, cargo insta, cargo criterion, cargo fuzz, cargo generate, cargo sort, cargo zigbuild
  class process.exec
  takes text...
  free
  try cargo test
  try cargo build --release
  try cargo clippy -- -D warnings
  try cargo +nightly build

cargo fmt
  class fs.write
  check manifest
  takes file...
  here
  options --check<fs.read --all -p,--package= -v,--verbose -q,--quiet --manifest-path=read --message-format=
  obeys cargo
  try cargo fmt => fs.write ?
  try cargo fmt --check => fs.read ?
  try cargo fmt --all -- --check => fs.write ?

cargo publish, cargo yank
  class deploy.write
  takes text...
  free
  try cargo publish

cargo login, cargo logout, cargo owner
  class permissions.change
  takes text...
  free
  try cargo login x

rustc, rust-analyzer, wasm-pack, trunk, rust-script, evcxr, sccache
  class process.exec
  check alone
  takes text...
  options -V,--version,-vV<none -h,--help<none
  free
  obeys rust
  try rustc --version => none ?
  try rustc a.rs => process.exec ?
  try rustc -vV => none ?

rustup
  class process.exec
  check alone
  takes text...
  options -V,--version<none -h,--help<none
  free
  obeys rust
  try rustup --version => none ?
  try rustup update => process.exec ?
  try rustup default nightly => process.exec ?

rustup show, rustup toolchain list, rustup target list, rustup component list, rustup which, rustup help
  class fs.read
  takes text...
  options -v,--verbose --installed --toolchain= -q,--quiet
  obeys rust
  try rustup show => fs.read ?
  try rustup toolchain list => fs.read ?

rustup run
  class process.exec
  takes text command
  options --install
  try rustup run nightly rm a => fs.delete process.exec

rustfmt
  class fs.write
  check modules
  takes file...
  options --check<fs.read --emit= --edition= --config-path=read --config= -l,--files-with-diff -q,--quiet -v,--verbose
  options --color= --backup -V,--version<none -h,--help<none
  obeys rust
  try rustfmt a.rs => fs.write ?
  try rustfmt --check a.rs => fs.read ?
`;
