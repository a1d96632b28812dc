export const JAVASCRIPT_PROGRAMS = String.raw`
# JavaScript and TypeScript: runtimes, version managers, compilers and linters.

node, nodejs
  class process.exec
  check language
  takes read text...
  options -v,--version<none -h,--help<none -e,--eval=code -p,--print=code -r,--require=code --import=code --loader=code
  options --experimental-loader=code -C,--conditions= --env-file=read --input-type= --test
  free
  try node --version => none
  try node a.js => fs.read process.exec
  try node -e 'x()' => process.exec ?
  try node evil.js --version => fs.read process.exec
  try node --test => process.exec
  try node --check a.js => fs.read
  try node a.js --check => fs.read process.exec
  try node --check -r ./x a.js => fs.read process.exec ?

tsx, ts-node, swc-node, esno
  class process.exec
  check alone
  takes read text...
  options -v,--version<none --help<none -e,--eval=code -r,--require=code
  free
  try tsx a.ts => fs.read process.exec
  try tsx --version => none
  try tsx a.ts --version => fs.read process.exec

deno
  class process.exec
  check alone
  takes text...
  options -V,--version<none -h,--help<none
  free
  try deno --version => none
  try deno run -A a.ts
  try deno test
  try deno a.ts --help

deno check, deno doc, deno info, deno types
  class network.read
  check addressed
  takes text...
  options --json -q,--quiet --all --no-lock --unstable --rules --compact --no-remote
  try deno info
  try deno check a.ts

deno fmt
  class fs.write
  takes file...
  here
  options --check<fs.read --indent-width= --line-width= --single-quote --no-semicolons --use-tabs --ignore= -q,--quiet
  obeys linter
  try deno fmt
  try deno fmt --check => fs.read

deno publish
  class deploy.write
  takes text...
  free
  try deno publish

corepack, nvm, fnm, volta, n, asdf, mise, rtx, pyenv, rbenv, nodenv, jenv, sdk, tfenv, goenv, proto
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try nvm --version => none
  try corepack enable
  try nvm use 20
  try mise install

tsc
  class process.exec
  check tsc
  takes read...
  options --noEmit,-noEmit<fs.write --showConfig<fs.read --listFilesOnly<fs.read -p,--project,-project=read
  options -v,--version<none -h,--help<none --all -b,--build>process.exec -w,--watch --pretty --skipLibCheck --strict
  options --esModuleInterop --allowJs --checkJs --resolveJsonModule --jsx= -t,--target= -m,--module= --moduleResolution=
  options --lib= --types= --outDir=write>process.exec --incremental --extendedDiagnostics --diagnostics --listFiles
  options --traceResolution --explainFiles --noErrorTruncation --isolatedModules --preserveWatchOutput --noUnusedLocals
  options --noUnusedParameters --ignoreDeprecations=
  try tsc --version => none
  try tsc --noEmit => fs.write
  try tsc -p tsconfig.json --noEmit => fs.write
  try tsc
  try tsc --build
  try tsc --noEmit false => fs.read process.exec
  try tsc --noEmit --generateTrace x => fs.write ?

eslint, prettier
  class process.exec
  check alone
  takes text...
  options -v,--version<none -h,--help<none
  free
  try eslint .
  try eslint --version => none
  try prettier --check .
  try eslint --version --config a

# These programs first start their own copy in the project's packages, so that even their version is printed by it.
stylelint, tslint, xo, standard, jest, vitest, mocha, ava, tap, jasmine, karma, cypress, playwright, webpack,
webpack-cli, rollup, rolldown, vite, esbuild, parcel, tsup, tsdown, unbuild, swc, babel, next, nuxt, nuxi, astro, remix,
gatsby, ng, vue-cli-service, svelte-check, svelte-kit, vue-tsc, expo, react-native, storybook, sb, typedoc, jsdoc, c8,
nyc, wireit, turbo, nx, lerna, rush, husky, lint-staged, commitlint, concurrently, cross-env, npm-run-all, run-s, run-p,
rimraf, degit, changeset, semantic-release, release-it, prisma, drizzle-kit, sequelize, typeorm, knex, graphql-codegen,
openapi-generator, serve, http-server, live-server, pm2, forever, electron, electron-builder, webdriver-manager,
lighthouse, pa11y, markdownlint, markdownlint-cli2, remark, textlint, cspell, knip, depcheck, madge, size-limit,
tailwindcss, postcss, sass, grunt, gulp, yo, ncu, npm-check-updates, oxlint
  class process.exec
  takes text...
  free
  try jest --watch=false
  try vitest run
  try vite build
  try jest --version
  try oxlint src

biome check, biome lint, biome ci, biome format
  class fs.read
  takes file...
  here
  options --write>fs.write --apply>fs.write --apply-unsafe>fs.write --fix>fs.write --unsafe>fs.write --config-path=read
  options --max-diagnostics= --diagnostic-level= --reporter= --colors= --verbose --changed --staged --since= --only=
  options --skip= --no-errors-on-unmatched --error-on-warnings --formatter-enabled= --linter-enabled= --assist-enabled=
  options --enforce-assist= --files-ignore-unknown= --stdin-file-path= --log-level= --log-kind=
  options --use-server>process.exec --suppress>fs.write --reason= --vcs-enabled= --indent-style= --indent-width=
  options --line-width=
  obeys linter
  try biome check src
  try biome check --write src => fs.write
  try biome ci
  try biome lint --use-server . => process.exec fs.write

biome version, biome rage, biome explain, biome
  class none
  takes text...
  options --version --help
  try biome --version
  try biome version

biome init, biome migrate, biome start, biome stop, biome lsp-proxy
  class process.exec
  takes text...
  free
  try biome init

nvm ls, nvm list, nvm current, nvm version, fnm list, fnm ls, fnm current, volta list, rbenv versions, rbenv version,
pyenv versions, pyenv version, pyenv which
  class none
  takes text...
  options --no-colors --bare --format=
  try nvm ls
  try rbenv versions
  try pyenv which python
  try nvm use 20 => process.exec
`;
