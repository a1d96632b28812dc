export const COMPILER_PROGRAMS = String.raw`
# Build programs, compilers and linkers for C, and programs that examine or change binaries.

make, gmake
  class process.exec
  check alone
  takes text...
  options -v,--version<none -h,--help<none
  free
  try make
  try make -n test
  try make --version => none
  try make -v => none
  try make --version all

# With these options just reads the justfile to list its content, and runs nothing of it.
just
  class process.exec
  check alone
  takes text...
  options -V,--version<none -h,--help<none -l,--list<fs.read --summary<fs.read --dump<fs.read --groups<fs.read
  free
  try just test
  try just --list => fs.read
  try just -l => fs.read
  try just --list -f /tmp/a
  try just --version => none
  try just --choose
  try just

cmake, ctest, cpack, ninja, meson, autoconf, automake, autoreconf, task, mage, earthly, dagger, tilt, skaffold, xmake,
b2, qmake, premake5, gn, ccache, distcc, bear
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try cmake --build build
  try cmake --version => none
  try ninja -v
  try ninja -C out

gcc, g++, cc, c++, clang, clang++
  class process.exec
  check alone
  takes text...
  options -v,--version<none --help<none -dumpversion<none -dumpmachine<none -print-search-dirs<none -print-sysroot<none
  options -print-multiarch<none -print-libgcc-file-name<none -print-resource-dir<none -print-target-triple<none
  free
  try gcc -v => none
  try gcc -dumpversion => none
  try gcc -v a.c

cppcheck
  class fs.read
  takes deep...
  options --enable= --std= -I= -D= -U= -q,--quiet --xml --suppress= --language= -j= --inline-suppr --force -f
  options --error-exitcode= --platform= -v,--verbose --template= --check-level= --output-file=write
  try cppcheck src
  try cppcheck --enable=all --quiet src
  try cppcheck --addon=./a.py src => fs.read ?
  try cppcheck --output-file=/etc/a src => fs.read fs.write

cpp, ld, lld, gold, as, nasm, yasm, gfortran, nvcc, emcc, tcc, ranlib, strip, objcopy, gcov, clang-tidy,
include-what-you-use, flex, bison, lex, yacc, swig, cython
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try gcc --version => none
  try gcc -o a a.c
  try clang -fplugin=x a.c

ldd
  class process.exec
  check loaded
  takes text...
  options --version<none --help<none
  free
  try ldd /usr/bin/git => fs.read
  try ldd ./a
  try ldd /usr/../tmp/a
  try ldd --version => none

ar
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try ar rcs a.a a.o

nm
  class fs.read
  takes read...
  options -a -A -C,--demangle? -D,--dynamic -g -n -p -P -r -S -u -U -V -l -B -o --defined-only --undefined-only
  options --size-sort --print-size --line-numbers --format= --extern-only
  atfile
  try nm -D a.so
  try nm --plugin evil a => fs.read ?

# The option of objdump that shows source text shows lines of any file that the binary names as its source.
objdump
  class fs.read
  takes read...
  options -a -C --demangle? -d --disassemble? -D -f -h -x -t -T -r -R -s -p -l -g -e -w -z -j,--section= -M=
  options --no-show-raw-insn --section-headers --syms --dynamic-syms --full-contents --private-headers --line-numbers
  options --start-address= --stop-address=
  atfile
  try objdump -d a
  try objdump -j .text -d a
  try objdump -dS a => fs.read ?

readelf, size, c++filt, otool, dwarfdump
  class fs.read
  takes read...
  options -a -h -l -S -g -t -e -s -n -r -u -d -V -A -I -D -L -v -W,--wide --all --file-header --program-headers
  options --segments --section-headers --sections --symbols --syms --dyn-syms --headers --notes --relocs --dynamic
  options --version-info --arch-specific --uuid
  atfile
  try readelf -h a
  try size a

addr2line
  class fs.read
  takes text...
  options -e,--exe=read -f,--functions -C,--demangle? -p,--pretty-print -i,--inlines -a,--addresses -s,--basenames
  options -j,--section= -H,--help -v,--version
  atfile
  try addr2line -e a 0x12
  try addr2line -fCe a.out 0x12

lipo
  class fs.read
  takes read...
  options -info -archs -detailed_info
  words
  atfile
  try lipo -info a
  try lipo -thin arm64 a -output b => fs.read ?

codesign
  class fs.read
  takes read...
  options -d,--display -v,--verbose? --verify --deep --strict? -a,--architecture=
  try codesign -dv a.app
  try codesign --verify --deep a.app
  try codesign -s x a => fs.read ?
  try codesign -d --entitlements b a => fs.read ?

pkg-config, pkgconf
  class none
  takes text...
  options --cflags --libs --exists --modversion --list-all --version --variable= --print-errors --short-errors
  options --silence-errors --atleast-version= --exact-version= --max-version= --static --print-requires --print-provides
  options --print-variables --libs-only-l --libs-only-L --cflags-only-I --help
  try pkg-config --cflags openssl
  try pkg-config --list-all
  try pkgconf --modversion zlib
  try pkg-config --log-file=/etc/a x => none ?

wasm-objdump
  class fs.read
  takes read...
  options -h,--headers -x,--details -d,--disassemble -s,--full-contents -j,--section= -r,--reloc --version,--help
  try wasm-objdump -h a.wasm
`;
