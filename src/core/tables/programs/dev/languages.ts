export const LANGUAGE_PROGRAMS = String.raw`
# Other languages: interpreters, compilers and package managers. What runs the project's code can do anything.

ruby, perl, php, lua, luajit
  class process.exec
  check language
  takes text...
  options -v,--version<none --help<none -m<none -e=code -E=code -r=code
  free
  try ruby -v => none
  try php -m => none
  try perl -v a.pl
  try php -r x => process.exec ?
  try php -l a.php => fs.read
  try ruby -c a.rb => fs.read
  try perl -c a.pl
  try php a.php -l

irb, jruby, Rscript, R, julia, elixir, iex, erl, ghc, ghci, runghc, ocaml, groovy, crystal, nim, zig, dart, flutter,
racket, guile, sbcl, tclsh, osascript, swift, swiftc, perf
  class process.exec
  check alone
  takes text...
  options --version<none --help<none -e=code -E=code -r=code
  free
  try ruby --version => none
  try ruby a.rb
  try perl -e 'x' => process.exec ?
  try php --version => none
  try swift build
  try perl a.pl --version

xcodebuild
  class process.exec
  check alone
  takes text...
  options -version<none -showsdks<none -help<none -usage<none
  free
  words
  try xcodebuild -version => none
  try xcodebuild -showsdks => none
  try xcodebuild -list
  try xcodebuild -version -project a

xcrun
  class process.exec
  check alone
  takes text...
  options --show-sdk-path<none --show-sdk-version<none --show-sdk-platform-path<none --show-toolchain-path<none
  options --version<none --help<none
  free
  try xcrun --show-sdk-path => none
  try xcrun swift a.swift
  try xcrun --show-sdk-path evil

xcrun simctl list
  class none
  takes text...
  options -j,--json -v
  try xcrun simctl list devices
  try xcrun simctl list --json

cabal, stack, dune, opam, nimble
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try cabal --version => none
  try stack build

# To print their help, these programs run code of the project; latexmk reads its settings before anything else.
latexmk
  class process.exec
  takes text...
  free
  try latexmk --version
  try latexmk -pdf a.tex

mix, scons
  class process.exec
  check alone
  takes text...
  options --version<none
  free
  try mix test
  try mix --version => none
  try mix --help
  try scons --help

sbt, lein, clj, clojure, pod, fastlane, carthage
  class process.exec
  takes text...
  free
  try sbt compile
  try sbt --version

gem list, gem search, gem info, gem which, gem contents, gem outdated, gem environment, gem env, gem specification,
gem dependency, gem query, gem help
  class network.read
  takes text...
  options -l,--local -r,--remote -a,--all -d,--details -e,--exact -i,--installed -q,--quiet -v,--version= --no-verbose
  options --pre --prerelease --no-versions --versions --name-only --paths --parseable --only-group= --strict
  try gem list
  try gem search rails
  try gem env

gem, bundle, bundler
  class process.exec
  check alone
  takes text...
  options -v,--version<none -h,--help<none
  free
  try gem install rails
  try bundle install
  try bundle --version => none

rake, rails, rspec, rubocop, standardrb, guard, jekyll, puma, cap, brakeman, minitest, solargraph, sorbet, srb, composer,
phpunit, phpstan, psalm, pest, php-cs-fixer, phpcs, artisan, drush, wp, symfony, laravel
  class process.exec
  takes text...
  free
  try rails --version
  try rubocop
  try composer install
  try phpunit

bundle exec
  class process.exec
  takes command
  options --keep-file-descriptors
  try bundle exec rm a => fs.delete process.exec
  try bundle exec rspec

gem push, gem yank, gem owner, gem signin, gem signout
  class deploy.write
  takes text...
  free
  try gem push a.gem

luac
  class fs.write
  takes read...
  here
  options -o=write -p<fs.read -l -s -v
  try luac -p a.lua => fs.read
  try luac -o /etc/a b.lua

perldoc
  class fs.read
  takes read...
  options -f= -v= -q= -T -t -l -m
  try perldoc -f print
  try perldoc -M./a x => fs.read ?
  try perldoc -n ./a x => fs.read ?

zig version, zig env, zig targets, packer version, nomad version, k6 version, gitleaks version, influx version,
atlas version, istioctl version, velero version, eksctl version, skaffold version, tilt version, k9s version,
ctr version, dlv version, hcloud version, kubectl help, helm help, supervisorctl status, busctl list, multipass list,
apt-mark showhold, apt-mark showauto, apt-mark showmanual, port installed
  class none
  takes text...
  options --client --short -o,--output=
  try zig version
  try kubectl help apply
  try helm help install
  try supervisorctl status
  try busctl list
  try supervisorctl restart all => process.exec
  try apt-mark hold a => process.exec

zig fmt, packer fmt
  class fs.write
  takes file...
  here
  options --check,-check<fs.read --ast-check -diff -recursive --exclude=
  words
  try zig fmt src
  try zig fmt --check src => fs.read
  try packer fmt -check . => fs.read
`;
