export const DEV_PROGRAMS = String.raw`
# Programs that run the project's own code can do anything, whatever their words say.

group NPM
  options --json -l,--long --depth= -a,--all -p,--parseable -g,--global --prod --production --dev --omit= --include=
  options --only= -w,--workspace= -ws,--workspaces --include-workspace-root --package-lock-only --silent,-s --quiet,-q
  options --loglevel= --link --no-color --color? --unicode --no-unicode --no-update-notifier --offline --prefer-offline
  options --searchlimit=

group GO
  options -C=folder -m -u -f= -json -deps -e -test -find -versions -retracted -mod= -modfile=read -tags=
  options -compiled>process.exec -export>process.exec -race -n -v -x>process.exec -changed -reuse= -buildvcs=
  options -toolexec=program>process.exec -overlay=code -exec=program>process.exec -work>process.exec -a>process.exec

group PNPM
  options --json --depth= --long -r,--recursive -F,--filter= -P,--prod -D,--dev --no-optional -g,--global --parseable
  options --lockfile-only --only-projects --silent,-s --color --no-color --loglevel= --reporter=

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

npm config set, npm config delete, npm config edit, npm config fix, npm set, npm pkg set, npm pkg delete, npm login,
npm logout, npm adduser, npm token, npm owner, npm access, npm team, npm hook, npm org, npm profile, npm trust
  class permissions.change
  takes text...
  free
  try npm config set script-shell evil
  try npm login
  try npm owner add ana a
  try npm token list

npm publish, npm unpublish, npm deprecate, npm dist-tag, npm star, npm unstar, npm stage
  class deploy.write
  takes text...
  free
  try npm publish --access public
  try npm unpublish a --force

# Before anything else it runs the project's .pnpmfile.cjs, even for a list: the door checks whether there is one.
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
  options -v,--version<none -h,--help<none -C,--dir=code -F,--filter=
  free
  try pnpm --version => none
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

# Before anything else it runs the release and the plugins that the project names, even for its version. These words
# mean the same in every version of it; others are scripts of the project in one version and not in the next.
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

# They look for themselves among the project's own packages first, so even their version is printed by its code.
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

python, pypy, ipython, py
  class process.exec
  check alone
  takes read!-c,-m text...
  options -V,--version<none -h,--help<none -c=code -m= -W= -X= -Q=
  free
  try python --version => none
  try python3 -V => none
  try python a.py => fs.read process.exec
  try python -c 'x' => process.exec ?
  try python -m pytest => process.exec
  try python a.py --version => fs.read process.exec
  try python3.11 -m http.server => process.exec

# The address of an index often contains credentials.
pip config list, pip config debug
  class secrets.read
  options --user --global --site --editor=program -v,--verbose
  try pip config list
  try pip config debug

pip hash
  class fs.read
  takes read...
  options -a,--algorithm= -v,--verbose -q,--quiet --no-color --disable-pip-version-check
  try pip hash a.whl
  try pip hash .env => secrets.read fs.read

pip list, pip show, pip freeze, pip check, pip inspect, pip config get, pip cache list, pip cache info, pip cache dir,
pip debug, pip help, uv tool list, uv python dir, uv cache dir, uv tool dir, uv help
  class fs.read
  takes text...
  options --format= -l,--local --user --path= -e,--editable --exclude-editable --include-editable --not-required
  options --exclude= --pre -v,--verbose -q,--quiet --disable-pip-version-check --no-color -f,--files
  options -r,--requirement=read -a,--algorithm= -o,--outdated>network.read -u,--uptodate>network.read --no-input --short
  options --offline --only-installed --all-versions --output-format= --depth= --no-dedupe --invert
  options --show-version-specifiers --system --strict --no-progress
  try pip list
  try pip3 show requests
  try pip freeze
  try pip list --outdated => network.read
  try pip list --python x => fs.read ?
  try uv tool list

pip index, pip search
  class network.read
  takes text...
  options --pre --json
  try pip index versions requests

pip
  class none
  options -V,--version -h,--help
  try pip --version

pip install, pip uninstall, pip download, pip wheel, pip cache purge, pip cache remove, pip lock
  class process.exec
  takes text...
  options -r,--requirement=read -c,--constraint=read -i,--index-url=url --extra-index-url=url
  free
  try pip install requests
  try pip install -r requirements.txt => fs.read process.exec
  try pip3 uninstall -y x

pip config
  class permissions.change
  takes text...
  free
  try pip config set global.index-url x

pdm
  class process.exec
  check alone
  takes text...
  options -V,--version<none -h,--help<none
  free
  obeys pdm
  try pdm --version => none
  try pdm sync

pipx, uv, rye, hatch, pipenv, conda, mamba, micromamba
  class process.exec
  check alone
  takes text...
  options -V,--version<none -h,--help<none
  free
  try uv --version => none
  try uv sync
  try uv pip list
  try conda create -n a
  try pipx install x
  try hatch run test

uv run, uv tool run, uvx, pipx run, poetry run, pipenv run, pdm run, conda run
  class process.exec
  takes command
  options --with= --from= -p,--python= -q,--quiet --no-sync --frozen --isolated -n,--name= --extra= --group= --dev
  options --all-extras --env-file=read -m,--module= --script --spec= --no-capture-output --directory=folder
  options --project=folder
  try uv run rm a => fs.delete process.exec
  try uvx ruff check => fs.read process.exec
  try poetry run pytest
  try uv run pytest -q

uv publish, poetry publish, pdm publish, hatch publish, twine, flit, maturin
  class deploy.write
  takes text...
  free
  try uv publish
  try twine upload dist/a

conda list, conda info, conda env list, conda search, mamba list, pipx list, pipx environment
  class network.read
  takes text...
  options -t,--tree -l,--latest -o,--outdated -T,--top-level --only= --with= --without= -n,--name= --json --export
  options -e,--envs --all -c -q,--quiet -p,--path --full-path --short --explicit --revisions
  try conda list
  try conda env list
  try pipx list

mypy, dmypy, pyright, pre-commit, coverage, jupyter
  class process.exec
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try mypy src
  try mypy --version => none
  try pre-commit run --all-files

bandit
  class fs.read
  takes deep...
  options -r,--recursive -l,--level -i,--confidence -q,--quiet -v,--verbose -s,--skip= -t,--tests= -x,--exclude=
  options -f,--format= -n= -a= -c,--configfile=read -b,--baseline=read --severity-level= --confidence-level= --exit-zero
  options -o,--output=write --version -h
  obeys linter
  try bandit -r src
  try bandit -ll -r src -f json
  try bandit -r src -o /etc/a => fs.read fs.write

nox, django-admin, flask, uvicorn, gunicorn, celery, alembic
  class process.exec
  check alone
  takes text...
  options --version<none
  free
  try flask --version => none
  try flask run
  try alembic upgrade head
  try celery -A a worker

poetry, pytest, py.test, basedpyright, pylint, flake8, tox, safety, pip-audit, pip-compile, pip-sync, invoke, fab,
jupyter-notebook, jupyter-lab, streamlit, cookiecutter, sphinx-build, mkdocs, locust, scrapy, airflow, dbt, pylsp, ty
  class process.exec
  takes text...
  free
  try pytest -q
  try pytest --version
  try tox

ruff check
  class fs.read
  check inline
  takes file...
  here
  options --fix>fs.write --fix-only>fs.write --unsafe-fixes --add-noqa>fs.write -o,--output-file=write --config=read
  options --select= --ignore= --extend-select= --extend-ignore= --output-format= --diff -q,--quiet -v,--verbose
  options -s,--silent -n,--no-cache --no-fix --show-fixes --show-files --show-settings --statistics --exit-zero
  options --exit-non-zero-on-fix --preview --target-version= --line-length= --exclude= --extend-exclude= --force-exclude
  options --respect-gitignore --stdin-filename= --isolated --per-file-ignores= --fixable= --unfixable= --watch -e
  options --cache-dir=write
  atfile
  obeys linter
  try ruff check .
  try ruff check --config lint.select=['E'] .
  try ruff check --config line-length=100
  try ruff check --config fix=true => fs.read ?
  try ruff check --config cache-dir='"/etc"' => fs.read ?
  try ruff check --fix src => fs.write
  try ruff check --select E501 a.py

ruff format
  class fs.write
  takes file...
  here
  options --check<fs.read --diff<fs.read --config=read -q,--quiet -v,--verbose -s,--silent -n,--no-cache --preview
  options --target-version= --line-length= --exclude= --force-exclude --isolated --stdin-filename= --range=
  options --cache-dir=write
  atfile
  obeys linter
  try ruff format src
  try ruff format --check src => fs.read

ruff, ruff version, ruff rule, ruff config, ruff linter, ruff help
  class none
  takes text...
  options -V,--version -h,--help --all --output-format=
  try ruff --version
  try ruff rule E501

ruff clean, ruff server, ruff analyze
  class process.exec
  takes text...
  free
  try ruff clean

black
  class fs.write
  takes file...
  here
  options --check<fs.read --diff<fs.read -l,--line-length= -t,--target-version= -q,--quiet -v,--verbose
  options -S,--skip-string-normalization -C,--skip-magic-trailing-comma --preview --unstable --fast --safe --include=
  options --exclude= --extend-exclude= --force-exclude= --config=read --color --no-color --required-version=
  options -W,--workers= --stdin-filename= --pyi --line-ranges= -h,--help<none --version<none
  obeys linter
  try black src
  try black --check src => fs.read
  try black --diff a.py => fs.read

isort
  class fs.write
  takes file...
  options -c,--check-only,--check<fs.read --diff<fs.read --profile= -q,--quiet -v,--verbose -l,--line-length= --skip=
  options --sg,--skip-glob= --settings-path,--sp=read --stdout<fs.read -V,--version<none -h,--help<none
  obeys linter
  try isort src
  try isort --check-only src => fs.read
  try isort --formatter evil src => fs.write ?

autopep8, yapf, pyupgrade, autoflake, docformatter
  class fs.write
  takes text...
  here
  options -i,--in-place -r,--recursive -a,--aggressive
  partly note.written_files_not_examined
  try yapf -i a.py => fs.write ?

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

# Their help lists what the project adds, for which they run it; latexmk reads its settings before anything else.
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

go version, go help
  class fs.read
  takes text...
  options -m -v
  words
  try go version
  try go help build

go env
  class fs.read
  takes text...
  options -json -changed -w>permissions.change -u>permissions.change
  words
  try go env GOPATH
  try go env -w GOFLAGS=x => permissions.change
  try go env -u GOFLAGS => permissions.change

go doc
  class fs.read
  takes text...
  options -all -c -cmd -short -src -u -ex
  words
  try go doc fmt
  try go doc -http => fs.read ?

go list, go mod graph, go mod why, go mod verify
  class network.read
  check gomod
  takes text...
  options GO
  words
  obeys go
  try go list ./...
  try go list -m all
  try go list -toolexec evil ./... => process.exec
  try go list -export ./... => process.exec
  try go mod graph
  try go list -mod=readonly ./...
  try go list -mod=mod ./... => network.read deploy.write

# It runs nothing of what it compiles; C code is given to a compiler that shows lines of the files it includes.
go vet
  class network.read
  takes text...
  options -C=folder -json -n -v -tags= -c= -vettool=program>process.exec -toolexec=program>process.exec -x>process.exec
  options -overlay=code
  words
  obeys go cgo
  try go vet ./...
  try go vet -tags a ./b
  try go vet -vettool=./x ./... => process.exec
  try go vet -fix ./... => network.read ?

go mod tidy, go mod download, go mod vendor, go mod init, go mod edit
  class process.exec
  takes text...
  free
  words
  try go mod tidy

go
  class process.exec
  takes text...
  free
  words
  try go build ./...
  try go test ./... -run X
  try go install a@latest
  try go run .

gofmt, goimports, gofumpt
  class fs.read
  takes file...
  options -l -d -e -s -w>fs.write -r= -local= -cpuprofile=write -extra -lang=
  try gofmt -l .
  try gofmt -w a.go => fs.write
  try gofmt -d a.go
  try gofmt -lw a.go => fs.write

golangci-lint, staticcheck, govulncheck, gotestsum, ginkgo, dlv, air, goreleaser, ko, wire, mockgen, buf, protoc, sqlc,
templ
  class process.exec
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try golangci-lint run
  try golangci-lint --version => none
  try protoc --go_out=. a.proto

java, javaw, scala, kotlin, kotlinc
  class process.exec
  check alone
  takes text...
  options -version,--version<none -help,--help<none
  free
  words
  try java -version => none
  try java -jar a.jar
  try java -jar a.jar -version

mvn, mvnd
  class process.exec
  takes text...
  free
  try mvn -v
  try mvn test

gradle
  class process.exec
  check alone
  takes text...
  options -v,--version<none -h,--help<none
  free
  try gradle --version => none
  try gradle -v test
  try gradle build

javac, jshell, jar, javadoc, jlink, jpackage, jstack, jmap, ant, msbuild, nuget, csc, mono
  class process.exec
  check alone
  takes text...
  options -version,--version<none --help<none
  free
  words
  try mvn test
  try gradle build
  try javac -version => none
  try mvn --version test

jcmd
  class process.exec
  check alone
  takes text...
  options -l<none -h<none -help,--help<none
  free
  words
  try jcmd -l => none
  try jcmd 12 VM.version

mvnw, ./mvnw, gradlew, ./gradlew, bazel, bazelisk, buck, buck2, pants, sbtn, mill, ./configure, waf
  class process.exec
  takes text...
  free
  try ./gradlew test
  try ./gradlew --version
  try bazel build //...

dotnet
  class process.exec
  check alone
  takes text...
  options --version<none --help<none --info<none --list-sdks<none --list-runtimes<none
  free
  obeys dotnet
  try dotnet build
  try dotnet --version => none
  try dotnet --list-sdks => none
  try dotnet a.dll --version

dotnet nuget push, nuget push, mvn deploy, gradle publish
  class deploy.write
  takes text...
  free
  words
  try dotnet nuget push a.nupkg
  try mvn deploy

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

# It reads the justfile to list its content, and runs nothing of it.
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

# Its option to show the source shows lines of any file from which the program claims to be made.
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

clang-format
  class fs.read
  check style
  takes file...
  options -i>fs.write --style= -style= --dry-run,-n -Werror --fallback-style= --assume-filename= --lines= --verbose
  options --version<none
  atfile
  obeys linter
  try clang-format --dry-run a.c
  try clang-format --style=file:.env a.c => secrets.read fs.read
  try clang-format -i a.c => fs.write
  try clang-format @a => fs.read ?

shellcheck
  class fs.read
  check sourced
  takes read...
  options -a,--check-sourced -x,--external-sources -C,--color? -e,--exclude= -i,--include= -f,--format= -o,--enable=
  options -P,--source-path= -s,--shell= -S,--severity= -W,--wiki-link-count= --norc --rcfile=read --list-optional
  options --extended-analysis= -V,--version<none --help<none
  try shellcheck a.sh
  try shellcheck -x -s bash a.sh

shfmt
  class fs.read
  takes file...
  here
  options -l,--list -d,--diff -w,--write>fs.write -s,--simplify -mn,--minify -i,--indent= -bn,--binary-next-line
  options -ci,--case-indent -sr,--space-redirects -kp,--keep-padding -fn,--func-next-line -ln,--language-dialect=
  options -p,--posix --filename= -f,--find --version<none
  obeys linter
  try shfmt -d a.sh
  try shfmt -w a.sh => fs.write
  try shfmt -l .

hadolint, yamllint, actionlint, checkmake, editorconfig-checker, ec, typos, ls-lint
  class fs.read
  takes file...
  here
  options -f,--format= -c,--config=read -s,--strict --no-warnings --ignore= --failure-threshold= --no-color --color
  options --no-fail --version<none -h,--help<none -v,--verbose -q,--quiet --list-files -d,--config-data= -oneline
  options -no-color -verbose -w,--write-changes>fs.write --skip= -S= -L=
  obeys linter
  try hadolint Dockerfile
  try yamllint .
  try actionlint
  try typos -w => fs.write
  try hadolint --weird a => fs.read ?
  try actionlint -shellcheck=evil => fs.read ?

codespell, dotenv-linter, vale, proselint, conftest, tflint, checkov, trivy, grype, syft, gitleaks, trufflehog, semgrep,
zizmor, taplo, sonar-scanner, snyk, codeql
  class process.exec
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try trivy fs .
  try gitleaks detect
  try semgrep --version => none

cloc
  class fs.read
  takes deep...
  options --json --yaml --csv --md --xml --quiet --by-file --by-file-by-lang --by-percent= --exclude-dir= --exclude-ext=
  options --exclude-lang= --include-lang= --include-ext= --vcs=line --git>process.exec --diff --list-file=list
  options --out,--report-file=write --sql=write --hide-rate --sum-one --skip-uniqueness --fullpath --match-d=
  options --not-match-d= --match-f= --not-match-f= --timeout= --processes= --max-file-size= --version<none --help<none
  options --no-autogen
  obeys git
  try cloc .
  try cloc --json src
  try cloc --extract-with=evil a => fs.read ?
  try cloc --out=x . => fs.read fs.write

tokei, loc
  class fs.read
  takes deep...
  here
  options -f,--files -e,--exclude= -o,--output= -s,--sort= -t,--type= -C,--compact --hidden --no-ignore -l,--languages
  options -c,--columns= -n,--num-format= -V,--version<none -h,--help<none
  try tokei
  try tokei src
  try tokei -o json

scc, gocloc
  class fs.read
  takes deep...
  here
  options -o,--output=write -f,--format= -s,--sort= -i,--include-ext= -x,--exclude-ext= --by-file --no-cocomo -w,--wide
  options --exclude-dir= -c,--no-complexity -d,--no-duplicates --version<none -h,--help<none
  try scc --by-file
  try scc -f json
  try scc -o out => fs.read fs.write

claude, codex, gemini, aider, opencode, goose, amp, cursor-agent, copilot, qwen, crush, cody, cline, droid, openhands,
swe-agent, plandex, llm, ollama run, mods, sgpt, interpreter, gptme, kimi, auggie
  class agent.spawn
  check alone
  takes text...
  options --version<none -h,--help<none --dangerously-skip-permissions>permissions.change
  options --allow-dangerously-skip-permissions>permissions.change
  options --dangerously-bypass-approvals-and-sandbox>permissions.change --yolo>permissions.change
  options --full-auto>permissions.change --permission-mode=>permissions.change
  options --allowedTools,--allowed-tools=>permissions.change --allow-all-tools>permissions.change
  options --mcp-config=>permissions.change --settings=>permissions.change
  free
  try claude -p hi
  try claude --version => none
  try claude --dangerously-skip-permissions -p x => permissions.change
  try codex exec x
  try gemini --yolo => permissions.change
  try aider a.py

claude mcp, claude config, claude plugin, claude install, claude setup-token, claude migrate-installer, codex login,
codex logout, codex mcp, gemini mcp, gemini extensions, opencode auth, opencode mcp
  class permissions.change
  takes text...
  free
  try claude mcp add x evil
  try codex mcp add x

ollama
  class process.exec
  check alone
  takes text...
  options -v,--version<none
  free
  try ollama --version => none
  try ollama pull x

ollama list, ollama ls, ollama ps, ollama show
  class network.read
  takes text...
  options --modelfile --parameters --system --template --license -v,--verbose
  try ollama list

ffmpeg, ffplay, sox, HandBrakeCLI, yt-dlp, youtube-dl, gs, ghostscript, inkscape, blender, latex, pdflatex, xelatex,
lualatex, tectonic, typst, soffice, libreoffice, wkhtmltopdf, chromium, google-chrome, firefox, magick, convert, mogrify,
montage, composite, plantuml, mmdc, gnuplot, asciidoctor
  class process.exec
  check alone
  takes text...
  options -version,--version<none --help<none
  free
  words
  try ffmpeg -i a.mp4 b.mp3
  try ffmpeg -version => none
  try convert a.png b.jpg
  try yt-dlp --exec evil https://a.example

dot, neato, circo, fdp, sfdp, twopi
  class process.exec
  check alone
  takes text...
  options -V<none --version<none --help<none
  free
  try dot -V => none
  try dot -Tpng a.dot -o b.png
  try dot -V a.dot

sips
  class fs.read
  check media
  takes read...
  options -g,--getProperty= -1,--oneLine -h,--help -H,--helpProperties -v
  try sips -g pixelWidth -g pixelHeight a.png
  try sips -Z 100 a.png => fs.read ?
  try sips --out b a.png => fs.read ?

textutil
  class fs.read
  takes read...
  options -info -encoding= -format=
  words
  try textutil -info a.docx
  try textutil -convert txt a.docx => fs.read ?

ffprobe
  class fs.read
  check media
  takes read...
  options -v,-loglevel= -hide_banner -show_streams -show_format -show_entries= -show_frames -show_packets -show_chapters
  options -show_programs -show_error -select_streams= -of,-print_format,-output_format= -pretty -count_frames
  options -count_packets -sexagesimal -unit -prefix -i=read -f= -version<none -h<none -show_data -show_private_data
  words
  try ffprobe -v error -show_format a.mp4
  try ffprobe -i a.mp4
  try ffprobe -f mp4 a
  try ffprobe -f lavfi ladspa=file=./x.so => fs.read ?
  try ffprobe a.vpy => fs.read ?
  try ffprobe http://a.example/x => fs.read ?
  try ffprobe -version => none

identify, exiftool, mediainfo, pdfinfo, pdffonts, pngcheck, jpeginfo, webpinfo, tiffinfo, soxi, mkvinfo
  class fs.read
  check media
  takes read...
  options -verbose -ping -quiet -format= -json -j -s -S -G -G0 -G1 -a -u -g -n -b -r -listx -ver -v
  words
  try identify a.png
  try exiftool a.jpg
  try identify msl:x => fs.read ?
  try exiftool -config evil a.jpg => fs.read ?
  try pdfinfo a.pdf

pdftotext
  class fs.read
  check beside
  takes read write?
  options -layout -raw -nopgbrk -enc= -f= -l= -q -htmlmeta -bbox -x= -y= -W= -H= -r= -table -opw= -upw= -fixed=
  words
  try pdftotext a.pdf -
  try pdftotext a.pdf b.txt => fs.read fs.write
  try pdftotext a.pdf => fs.read fs.write
  try pdftotext CMakeLists.pdf => fs.read deploy.write

pandoc
  class fs.read
  check pandoc
  takes read...
  options -o,--output=write -f,-r,--from,--read= -t,-w,--to,--write= -s,--standalone --toc,--table-of-contents
  options --toc-depth= -N,--number-sections --wrap= --columns= -V,--variable= -M,--metadata= --metadata-file=read
  options --template=read -H,--include-in-header=read -B,--include-before-body=read -A,--include-after-body=read
  options --extract-media=write --filter,-F=program>process.exec -L,--lua-filter=code --pdf-engine=program>process.exec
  options --defaults,-d=code --data-dir=code --syntax-definition=read --highlight-style= --mathjax? --katex?
  options --self-contained --embed-resources --reference-doc=read --csl=read --bibliography=read -C,--citeproc
  options --shift-heading-level-by= --atx-headers --markdown-headings= --eol= --tab-stop= -p --ascii --no-highlight
  options -q,--quiet --verbose --list-input-formats<none --list-output-formats<none -v,--version<none -h,--help<none
  try pandoc a.md
  try pandoc a.md -o b.html => fs.read fs.write
  try pandoc -t evil.lua a.md => fs.read ?
  try pandoc --filter evil a.md => process.exec fs.read
  try pandoc https://a.example => fs.read ?
`;
