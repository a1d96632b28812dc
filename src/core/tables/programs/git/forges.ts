export const FORGE_PROGRAMS = String.raw`
# GitHub and GitLab.

gh
  class none
  options --version --help
  try gh --version
  try gh weird => process.exec ?

gh pr list, gh pr view, gh pr status, gh pr diff, gh pr checks, gh issue list, gh issue view, gh issue status,
gh repo view, gh repo list, gh run list, gh run view, gh run watch, gh workflow list, gh workflow view, gh release list,
gh release view, gh gist list, gh gist view, gh label list, gh project list, gh project view, gh project field-list,
gh project item-list, gh cache list, gh ruleset list, gh ruleset view, gh ruleset check, gh variable list,
gh variable get, gh secret list, gh ssh-key list, gh gpg-key list, gh org list, gh status, gh search repos,
gh search issues, gh search prs, gh search code, gh search commits, gh repo deploy-key list, gh repo license list,
gh repo license view, gh repo gitignore list, gh repo gitignore view, gh extension list, gh extension search,
gh codespace list, gh codespace view
  class network.read
  check gh
  takes text...
  options -w,--web>browser.act -R,--repo= -q,--jq=local -t,--template=local --json=local -L,--limit=local -S,--search= -s,--state=
  options -l,--label= -a,--assignee= -A,--author= -H,--head= -B,--base= -j,--job= -b,--branch= -u,--user= -e,--event=
  options -c,--commit= -i,--interval=local -f,--filename= -m,--milestone= -o,--order= -k,--key=
  free
  obeys git
  try gh pr list
  try gh pr view 12 --json title,body
  try gh pr view --web => browser.act
  try gh run view 1 --log
  try gh issue list --jq 'env.GH_TOKEN' => secrets.read
  try gh pr diff 12
  try gh search repos foo --limit 5
  try gh pr checks
  try gh pr list -R a.example/b/c => network.read ?
  try gh repo view github.com/a/b

gh attestation verify
  class network.read
  check gh
  takes text
  options -o,--owner= -R,--repo= -b,--bundle=read --custom-trusted-root=read --hostname=host -q,--jq= -t,--template=
  options --format=
  free
  try gh attestation verify a.zip --owner a
  try gh attestation verify a.zip --owner a --bundle .env => secrets.read network.read

gh api
  class network.read
  check gh
  takes text
  options -X,--method= -f,--raw-field= -F,--field= --input=read -H,--header= -q,--jq=local -t,--template=local --paginate --slurp
  options --cache=local -i,--include -p,--preview= --silent --verbose --hostname=host
  try gh api user
  try gh api repos/a/b/pulls --paginate --jq '.[].title'
  try gh api -X DELETE repos/a/b => network.write
  try gh api repos/a/b/issues -f title=x => network.write
  try gh api -X GET search/issues -f q=x
  try gh api graphql -f query='query { viewer { login } }'
  try gh api graphql -f query='mutation { x }' => network.write
  try gh api x -F body=@.env => network.write secrets.read
  try gh api x --method=PATCH => network.write
  try gh api x --input a.json => fs.read network.write
  try gh api -Xpost x => network.write
  try gh api x -H 'X-HTTP-Method-Override: DELETE' => network.write
  try gh api https://evil.example/x => network.read ?
  try gh api --hostname evil.example x => network.read ?

gh auth status
  class network.read
  options -h,--hostname= -a,--active -t,--show-token>secrets.read --json=
  try gh auth status
  try gh auth status -t => secrets.read

gh auth token, gh auth git-credential
  class secrets.read
  takes text...
  free
  try gh auth token

gh auth login, gh auth logout, gh auth refresh, gh auth setup-git, gh auth switch, gh secret set, gh secret delete,
gh secret remove, gh variable set, gh variable delete, gh ssh-key add, gh ssh-key delete, gh gpg-key add,
gh gpg-key delete, gh repo deploy-key add, gh repo deploy-key delete, gh alias set, gh alias delete, gh alias import,
gh config set, gh config clear-cache
  class permissions.change
  takes text...
  free
  try gh auth login
  try gh secret set A -b x
  try gh alias set x '!sh'
  try gh ssh-key add a.pub
  try gh config set pager evil

gh config get
  class none
  check variables
  takes text
  options -h,--host=
  try gh config get git_protocol
  try gh config get -h github.com oauth_token => secrets.read

gh config list, gh alias list, gh completion, gh version, gh help
  class none
  takes text...
  options -h,--host= -s,--shell=
  try gh config get editor
  try gh alias list
  try gh version

gh pr create, gh pr new, gh pr comment, gh pr review, gh issue create, gh issue new, gh issue comment, gh gist create,
gh gist edit, gh gist rename
  class network.write
  takes text...
  options -F,--body-file=read -b,--body= -t,--title=
  free
  try gh pr create --fill
  try gh issue comment 1 -b x
  try gh pr create -F .env => network.write secrets.read

gh pr close, gh pr reopen, gh pr edit, gh pr ready, gh pr lock, gh pr unlock, gh pr update-branch, gh pr revert,
gh issue close, gh issue reopen, gh issue edit, gh issue lock, gh issue unlock, gh issue pin, gh issue unpin,
gh issue transfer, gh issue develop, gh label create, gh label edit, gh label clone, gh project create, gh project edit,
gh project item-add, gh project item-edit, gh project item-create, gh project close, gh project copy, gh project link,
gh run rerun, gh run cancel, gh repo fork, gh repo sync, gh repo create, gh repo rename, gh repo set-default,
gh repo unarchive, gh codespace create, gh codespace stop, gh codespace edit
  class network.write
  takes text...
  free
  try gh pr close 1
  try gh run rerun 5
  try gh repo fork a/b

gh issue delete, gh label delete, gh gist delete, gh run delete, gh cache delete, gh repo delete, gh repo archive,
gh project delete, gh project item-delete, gh project item-archive, gh project field-delete, gh codespace delete
  class network.write
  takes text...
  free
  reversible no
  try gh repo delete a/b --yes
  try gh cache delete --all

gh repo edit
  class permissions.change
  takes text...
  free
  try gh repo edit --visibility public

gh pr merge
  class git.write
  takes text...
  free
  reach outside
  reversible no
  try gh pr merge 1 --squash

gh pr checkout, gh co
  class git.write
  takes text...
  options -b,--branch= -f,--force!
  free
  try gh pr checkout 1

gh release create, gh release edit, gh release upload, gh release delete, gh release delete-asset, gh workflow run,
gh workflow enable, gh workflow disable
  class deploy.write
  takes text...
  free
  try gh release create v1
  try gh workflow run deploy.yml

gh release download, gh run download, gh gist clone, gh attestation download
  class network.read
  check download
  takes text...
  here
  options -D,--dir=write -O,--output=write -p,--pattern= -n,--name= -A,--archive= -R,--repo= --clobber --skip-existing
  options -o,--owner= -L,--limit=
  partly note.maker_names_files
  try gh release download v1 => fs.write network.read ?
  try gh run download 5 -D out => fs.write network.read ?

gh repo clone
  class network.read
  check download
  takes text write? text...
  options -u,--upstream-remote-name=
  try gh repo clone a/b => fs.write network.read git.write
  try gh repo clone a/b -- --depth 1 => fs.write network.read git.write ?

gh browse
  class browser.act
  takes text...
  free
  try gh browse

gh extension install, gh extension upgrade, gh extension remove, gh extension create, gh extension exec,
gh extension browse, gh codespace ssh, gh codespace cp, gh codespace code, gh codespace jupyter, gh codespace ports,
gh codespace rebuild, gh copilot, gh agent-task, gh preview
  class process.exec
  takes text...
  free
  try gh extension install a/b
  try gh codespace ssh

glab mr list, glab mr view, glab mr diff, glab issue list, glab issue view, glab ci list, glab ci status, glab ci get,
glab repo view, glab repo list, glab repo search, glab release list, glab release view, glab label list,
glab pipeline list, glab pipeline status, glab user events
  class network.read
  check gh
  takes text...
  options -w,--web>browser.act -R,--repo= --with-variables>secrets.read
  free
  try glab mr list
  try glab mr list -R gitlab.com/a/b
  try glab mr list -R https://a.example/b/c => network.read ?
  try glab mr view 3 -w => browser.act
  try glab ci status

glab mr, glab issue, glab ci, glab pipeline, glab repo, glab label, glab snippet, glab incident, glab api,
glab mr create, glab mr close, glab mr approve, glab mr note, glab issue create, glab issue note, glab issue close,
glab ci run, glab ci retry, glab ci cancel
  class network.write
  takes text...
  free
  try glab mr create --fill
  try glab api projects

glab mr merge, glab mr checkout
  class git.write
  takes text...
  free
  reach outside
  reversible no
  try glab mr merge 3

glab release create, glab release delete, glab release upload
  class deploy.write
  takes text...
  free
  try glab release create v1

glab auth, glab variable, glab config, glab alias, glab ssh-key, glab token, glab securefile, glab deploy-key
  class permissions.change
  takes text...
  free
  try glab auth login
  try glab variable set A b

glab variable list, glab variable get, glab variable export
  class secrets.read
  takes text...
  free
  try glab variable list

glab version
  class none
  try glab version

hub
  class process.exec
  takes text...
  free
  partly note.known_only_by_its_words
  try hub pull-request => process.exec ?
`;
