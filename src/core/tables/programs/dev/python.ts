export const PYTHON_PROGRAMS = String.raw`
# Python: interpreters, package managers, test runners, linters and formatters.

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

pyflakes, pyflakes3, pycodestyle, pydocstyle, vulture
  class fs.read
  takes deep...
  here
  options --max-line-length= --ignore= --select= --exclude= --statistics --count --show-source --first --convention=
  options --add-ignore= --match= --min-confidence= --ignore-names= --sort-by-size -q,--quiet -v,--verbose -e -s
  options --version --help,-h
  obeys linter
  try pyflakes src
  try pyflakes3 src
  try pycodestyle --max-line-length=100 src
  try vulture src
  try pydocstyle --config=/tmp/a src => fs.read ?

radon cc, radon mi, radon raw, radon hal
  class fs.read
  takes deep...
  options -a,--average -s,--show-complexity -n,--min= -x,--max= -j,--json -e,--exclude= -i,--ignore= -m
  options -O,--output-file=write
  try radon cc -a src
  try radon cc -O /etc/a src => fs.read fs.write

pipdeptree
  class fs.read
  options -p,--packages= -r,--reverse -a,--all -l,--local-only -u,--user-only -w,--warn= -j,--json --json-tree
  options -d,--depth= -e,--exclude= -f,--freeze -v,--version -h,--help
  try pipdeptree -r
  try pipdeptree --python ./a => fs.read ?

twine check
  class fs.read
  takes read...
  options --strict
  try twine check dist/a.whl
  try twine upload dist/a.whl => deploy.write
`;
