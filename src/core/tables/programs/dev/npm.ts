export const NPM_PROGRAMS = String.raw`
# Package managers for JavaScript. They run scripts of the project and of its packages, which can do anything.

group NPM
  options --json -l,--long --depth= -a,--all -p,--parseable -g,--global --prod --production --dev --omit= --include=
  options --only= -w,--workspace= -ws,--workspaces --include-workspace-root --package-lock-only --silent,-s --quiet,-q
  options --loglevel= --link --no-color --color? --unicode --no-unicode --no-update-notifier --offline --prefer-offline
  options --searchlimit=

group PNPM
  options --json --depth= --long -r,--recursive -F,--filter= -P,--prod -D,--dev --no-optional -g,--global --parseable
  options --lockfile-only --only-projects --silent,-s --color --no-color --loglevel= --reporter=

npm
  class none
  options -v,--version -h,--help --prefix=code -C=code
  try npm --version
  try npm weird => process.exec ?
  try npm --prefix x ls => process.exec ?

npm ls, npm list, npm la, npm ll, npm explain, npm why, npm query, npm root, npm prefix, npm bin, npm fund, npm doctor,
npm help, npm help-search
  class fs.read
  takes text...
  options NPM
  obeys npm
  try npm ls
  try npm ls --depth=0
  try npm list -g --json
  try npm why a
  try npm root -g
  try npm ls --script-shell=evil => fs.read ?

npm audit
  class network.read
  options NPM --registry=url>network.write --audit-level=
  obeys npm
  try npm audit --json
  try npm audit frob => process.exec ?

npm view, npm v, npm info, npm show, npm outdated, npm search, npm s, npm find, npm ping, npm whoami,
npm audit signatures, npm sbom, npm stars, npm dist-tag ls, npm owner ls, npm access list
  class network.read
  check addressed
  takes text...
  options NPM --registry=url>network.write --audit-level= --diff=
  obeys npm
  try npm view react version
  try npm view a --registry=http://a.example => network.write
  try npm outdated
  try npm search foo

npm docs, npm bugs, npm repo, npm home
  class browser.act
  takes text...
  options --browser=program>process.exec
  free
  try npm docs react
  try npm docs --browser=evil => browser.act process.exec

npm audit fix, npm ci, npm clean-install, npm install, npm i, npm in, npm add, npm install-test, npm it,
npm install-ci-test, npm cit, npm update, npm up, npm upgrade, npm uninstall, npm un, npm remove, npm rm, npm r,
npm rebuild, npm rb, npm dedupe, npm ddp, npm find-dupes, npm prune, npm link, npm ln, npm pack, npm shrinkwrap,
npm init, npm create, npm version, npm set-script, npm cache, npm edit, npm explore, npm install-scripts, npm diff
  class process.exec
  check script
  takes text...
  options --registry=url
  free
  try npm ci
  try npm ci --script-shell=evil => process.exec ?
  try npm install react
  try npm audit fix
  try npm version patch
  try npm pack
  try npm diff --diff=a

npm run, npm run-script
  class process.exec
  check script
  takes text...
  free
  try npm run => none
  try npm run build --script-shell evil => process.exec ?
  try npm run build -- --shell evil
  try npm run build
  try npm run -s
  try npm run build -- --help

npm rum, npm urn, npm test, npm t, npm tst, npm start, npm stop, npm restart
  class process.exec
  check script
  takes text...
  free
  try npm test
  try npm test --script-shell=evil => process.exec ?
  try npm test --prefix ../other => process.exec ?
  try npm test -- --shell a
  try npm t

npm exec, npm x, npx, bunx, pnpx
  class process.exec
  takes command
  options -y,--yes -n,--no --no-install -p,--package= -c,--call=line -q,--quiet --bun --prefer-online --prefer-offline
  options --ignore-existing --version<none -v<none
  try npx tsc --noEmit => fs.write process.exec
  try npx -y create-x
  try npx -c 'rm a' => fs.delete process.exec
  try npx rimraf dist

npm config get, npm get
  class fs.read
  check variables
  takes text...
  options NPM --location= -l
  obeys npm
  try npm config get prefix
  try npm config get //a.example/:_authToken => secrets.read

npm config list, npm config ls, npm pkg get, npm cache ls, npm completion
  class fs.read
  takes text...
  options NPM --location= -l
  obeys npm
  try npm config get registry
  try npm config list
  try npm pkg get version

npm config set, npm config delete, npm config edit, npm config fix, npm set, npm login,
npm logout, npm adduser, npm token, npm owner, npm access, npm team, npm hook, npm org, npm profile, npm trust
  class permissions.change
  takes text...
  free
  try npm config set script-shell evil
  try npm login
  try npm owner add ana a
  try npm token list

# It changes package.json, which says what later commands run.
npm pkg set, npm pkg delete, npm pkg fix
  class process.exec
  takes text...
  free
  obeys npm
  try npm pkg set scripts.lint='eslint .'
  try npm pkg delete scripts.lint

npm publish, npm unpublish, npm deprecate, npm dist-tag, npm star, npm unstar, npm stage
  class deploy.write
  takes text...
  free
  try npm publish --access public
  try npm unpublish a --force

# Before anything else pnpm runs the project's .pnpmfile.cjs, even for a list: the gate checks whether there is one.
pnpm ls, pnpm list, pnpm la, pnpm ll, pnpm why, pnpm root, pnpm bin, pnpm store path, pnpm licenses list,
pnpm licenses ls
  class fs.read
  takes text...
  options PNPM
  obeys pnpm
  try pnpm ls => fs.read ?
  try pnpm why react => fs.read ?
  try pnpm -C ../a ls => process.exec ?
  try pnpm ls --pnpmfile=x => fs.read ?

pnpm outdated, pnpm view, pnpm info, pnpm show, pnpm audit
  class network.read
  takes text...
  options PNPM --audit-level= --compatible --format= --no-table
  obeys pnpm
  try pnpm outdated => network.read ?
  try pnpm view react version => network.read ?
  try pnpm audit --fix => network.read ?

pnpm
  class process.exec
  check script
  takes text...
  options -C,--dir=code -F,--filter=
  free
  try pnpm --version
  try pnpm --config.script-shell=evil test => process.exec ?
  try pnpm test --config a
  try pnpm -C ../a test => process.exec ?
  try pnpm install
  try pnpm build
  try pnpm -r test
  try pnpm run build --help

pnpm exec, pnpm dlx, pnpm create
  class process.exec
  takes command
  options -r,--recursive -c,--shell-mode --package=
  try pnpm exec rm a => fs.delete process.exec
  try pnpm dlx create-x

pnpm publish
  class deploy.write
  takes text...
  free
  try pnpm publish

pnpm config get
  class fs.read
  check variables
  takes text
  options --location= -g,--global --json
  obeys pnpm
  try pnpm config get registry => fs.read ?
  try pnpm config get //a.example/:_authToken => secrets.read ?

pnpm config, pnpm login, pnpm logout, pnpm setup, pnpm approve-builds, pnpm env
  class permissions.change
  takes text...
  free
  try pnpm config set a b
  try pnpm approve-builds

# Before anything else yarn runs the release and the plugins that the project names, even for its version. These words
# mean the same in every version of yarn; other words are scripts of the project in one version and not in the next.
yarn why, yarn info, yarn bin
  class network.read
  takes text...
  options -R,--recursive -A,--all --json --peers -v,--verbose
  obeys yarn
  try yarn why react => network.read ?
  try yarn info react version --json => network.read ?
  try yarn --cwd ../a why b => process.exec ?
  try yarn why react --use-yarnrc x => network.read ?

yarn, yarnpkg
  class process.exec
  check script
  takes text...
  options --cwd=code
  free
  try yarn --version
  try yarn --cwd ../a test => process.exec ?
  try yarn list
  try yarn
  try yarn build
  try yarn test --version

yarn dlx, yarn exec
  class process.exec
  takes command
  options -p,--package= -q,--quiet
  try yarn dlx create-x
  try yarn exec rm a => fs.delete process.exec

yarn publish, yarn npm publish, yarn npm tag
  class deploy.write
  takes text...
  free
  try yarn publish
  try yarn npm publish

yarn config, yarn login, yarn logout, yarn npm login, yarn npm logout, yarn set, yarn plugin, yarn owner, yarn team,
yarn policies
  class permissions.change
  takes text...
  free
  try yarn config set a b
  try yarn set version berry

bun
  class process.exec
  check script
  takes text...
  options -v,--version<none -h,--help<none --revision<none -e,--eval=code -p,--print=code -r,--preload=code --cwd=
  options -c,--config= --shell= --env-file=read
  free
  try bun --version => none
  try bun --cwd ../a test => process.exec ?
  try bun test
  try bun run build
  try bun a.ts --version
  try bun -e x => process.exec ?

bun pm ls, bun pm bin, bun pm hash, bun why
  class fs.read
  takes text...
  options -g,--global --all -a
  try bun pm ls

bun x
  class process.exec
  takes command
  options --bun --silent
  try bun x rm a => fs.delete process.exec

bun publish
  class deploy.write
  takes text...
  free
  try bun publish
`;
